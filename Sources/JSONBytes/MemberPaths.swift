/// The names of members that are read together from items. A name with dots is also a path of names.
package struct MemberPaths: Sendable {
  /// The distinct names that are sought in an item: the whole names, and the first names of paths.
  private(set) var names: [[UInt8]] = []

  /// By member, the index of its whole name, that of the first name of its path, and the offset of the
  /// path's other names; nil if the name has no dots.
  private(set) var members: [(whole: Int, path: (first: Int, rest: Int)?)] = []

  /// Creates an empty collection.
  package init() {}

  /// The number of members.
  package var count: Int { members.count }

  /// Returns the index of a member, adding it if necessary.
  ///
  /// - Complexity: O(*m*), where *m* is the number of members.
  package mutating func index(of name: [UInt8]) -> Int {
    let whole = index(ofName: name)
    if let index = members.firstIndex(where: { $0.whole == whole }) { return index }
    let first = name.pathStep(from: 0)
    let path =
      first.count == name.count
      ? nil : (first: index(ofName: Array(name[first])), rest: first.upperBound + 1)
    members.append((whole, path))
    return members.count - 1
  }

  /// Returns the name of a member.
  package func name(of member: Int) -> [UInt8] { names[members[member].whole] }

  private mutating func index(ofName name: [UInt8]) -> Int {
    if let index = names.firstIndex(of: name) { return index }
    names.append(name)
    return names.count - 1
  }
}

/// The values of the members of an item.
package struct MemberValues {
  private let names: [[UInt8]]
  private let members: [(whole: Int, path: (first: Int, rest: Int)?)]
  private var found: [Range<Int>]
  private var values: [UnsafeRawBufferPointer?]

  /// The names of the members by which a bare item is read as its own value.
  private static let bareNames = [Array("text".utf8), Array("id".utf8)]

  /// Creates a reader for the values of some members.
  package init(_ paths: MemberPaths) {
    names = paths.names
    members = paths.members
    found = Array(repeating: 0..<0, count: names.count)
    values = Array(repeating: nil, count: members.count)
  }

  /// The value of a member in the last item read, or nil if it has none. Valid as long as the item's
  /// bytes.
  package subscript(member: Int) -> UnsafeRawBufferPointer? { values[member] }

  /// Reads a validated item.
  ///
  /// - Complexity: O(*n* + *m*), where *n* is the number of bytes and *m* of members. For each path of
  ///   several names, the value of the first name is read again.
  package mutating func read(_ item: UnsafeRawBufferPointer) {
    guard !values.isEmpty else { return }
    guard item[0] == 0x7B else { return readBare(item) }
    for name in found.indices { found[name] = 0..<0 }
    var reader = JSONReader(item)
    checked { () throws(JSONError) in
      try reader.openObject()
      while let member = try reader.nextMember() {
        let value = try reader.skip()
        for name in names.indices where reader.isSame(member, names[name][...]) {
          found[name] = value
        }
      }
    }
    for (index, member) in members.enumerated() {
      let whole = found[member.whole]
      guard whole.isEmpty, let path = member.path else {
        values[index] = whole.isEmpty ? nil : UnsafeRawBufferPointer(rebasing: item[whole])
        continue
      }
      let first = found[path.first]
      values[index] =
        first.isEmpty
        ? nil
        : UnsafeRawBufferPointer(rebasing: item[first]).member(names[member.whole], from: path.rest)
    }
  }

  private mutating func readBare(_ item: UnsafeRawBufferPointer) {
    for (index, member) in members.enumerated() {
      // An array item stands for an object without members.
      let isItem = item[0] != 0x5B && Self.bareNames.contains(names[member.whole])
      values[index] = isItem ? item : nil
    }
  }
}
