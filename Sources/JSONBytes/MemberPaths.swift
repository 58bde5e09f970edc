/// The names of members that are read together from items. A name with dots is also a path of names.
package struct MemberPaths: Sendable {
  /// A name that is sought in an item.
  struct Name: Sendable {
    let bytes: [UInt8]

    /// The first bytes, as `JSONReader.head(of:)` returns them.
    private let head: UInt64

    private let count: Int

    init(_ bytes: [UInt8]) {
      self.bytes = bytes
      count = bytes.count
      head = bytes.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Returns whether this is a name that a reader has read, which begins with a head.
    @inline(__always)
    func isSame(_ name: JSONString, _ head: UInt64, _ reader: JSONReader) -> Bool {
      if name.hasEscapes { return reader.isSame(name, bytes[...]) }
      guard head == self.head, name.range.count == count else { return false }
      return count <= 8 || reader.isSame(name, bytes[...])
    }
  }

  /// A member: the index of its whole name, that of the first name of its path, and the offset of the path's
  /// other names; nil if the name has no dots.
  typealias Member = (whole: Int, path: (first: Int, rest: Int)?)

  /// The distinct names that are sought in an item: the whole names, and the first names of paths.
  private(set) var names: [Name] = []
  private(set) var members: [Member] = []

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
  package func name(of member: Int) -> [UInt8] { names[members[member].whole].bytes }

  private mutating func index(ofName name: [UInt8]) -> Int {
    if let index = names.firstIndex(where: { $0.bytes == name }) { return index }
    names.append(Name(name))
    return names.count - 1
  }
}

/// The values of the members of an item.
package struct MemberValues {
  private let paths: MemberPaths

  /// The last item read, and by name the range of the value in it.
  private var item = UnsafeRawBufferPointer(start: nil, count: 0)
  private var found: [Range<Int>]

  /// The names of the members by which a bare item is read as its own value.
  private static let bareNames = [Array("text".utf8), Array("id".utf8)]

  /// Creates a reader for the values of some members.
  package init(_ paths: MemberPaths) {
    self.paths = paths
    found = Array(repeating: 0..<0, count: paths.names.count)
  }

  /// The value of a member in the last item read, or nil if it has none. Valid as long as the item's
  /// bytes.
  ///
  /// - Complexity: O(1); for a path of several names O(*n*), where *n* is the number of bytes of the value of
  ///   the first one.
  package subscript(member: Int) -> UnsafeRawBufferPointer? {
    let member = paths.members[member]
    let whole = found[member.whole]
    guard whole.isEmpty, let path = member.path else {
      return whole.isEmpty ? nil : UnsafeRawBufferPointer(rebasing: item[whole])
    }
    let first = found[path.first]
    if first.isEmpty { return nil }
    return UnsafeRawBufferPointer(rebasing: item[first])
      .member(paths.names[member.whole].bytes, from: path.rest)
  }

  /// Reads a validated item.
  ///
  /// - Complexity: O(*n* + *m*), where *n* is the number of bytes and *m* of members.
  package mutating func read(_ item: UnsafeRawBufferPointer) {
    if found.isEmpty { return }
    self.item = item
    for name in found.indices { found[name] = 0..<0 }
    guard item[0] == 0x7B else { return readBare() }
    let sought = paths.names
    let names = sought.span
    let reader = JSONReader(item)
    _ = checked { () throws(JSONError) in
      try reader.nextObject { name, value, _ in
        let head = reader.head(of: name)
        for index in names.indices where names[index].isSame(name, head, reader) {
          found[index] = value
        }
      }
    }
  }

  private mutating func readBare() {
    // An array item stands for an object without members.
    guard item[0] != 0x5B else { return }
    for (index, name) in paths.names.enumerated() where Self.bareNames.contains(name.bytes) {
      found[index] = item.indices
    }
  }
}
