/// Paths of members that are read together from items. Each path is a sequence of member names.
package struct MemberPaths: Sendable {
  /// The distinct first names of the paths.
  private(set) var names: [[UInt8]] = []

  /// By path, the index of its first name, and the remaining names.
  private(set) var paths: [(name: Int, rest: ArraySlice<[UInt8]>)] = []

  /// Creates an empty collection of paths.
  package init() {}

  /// The number of paths.
  package var count: Int { paths.count }

  /// Returns the index of a path, adding it if necessary.
  ///
  /// - Complexity: O(*p*), where *p* is the number of paths.
  package mutating func index(of path: [[UInt8]]) -> Int {
    let name = names.firstIndex(of: path[0]) ?? names.count
    if name == names.count { names.append(path[0]) }
    let rest = path.dropFirst()
    if let index = paths.firstIndex(where: { $0.name == name && $0.rest == rest }) { return index }
    paths.append((name, rest))
    return paths.count - 1
  }
}

/// The values of the members of an item.
package struct MemberValues {
  private let names: [[UInt8]]
  private let paths: [(name: Int, rest: ArraySlice<[UInt8]>)]
  private let areAllShort: Bool
  private var found: [Range<Int>]
  private var values: [UnsafeRawBufferPointer?]

  /// The names of the members by which a bare item is read as its own value.
  private static let bareNames = [Array("text".utf8), Array("id".utf8)]

  /// Creates a reader for the values of some paths.
  package init(_ paths: MemberPaths) {
    names = paths.names
    self.paths = paths.paths
    areAllShort = paths.paths.allSatisfy { $0.rest.isEmpty }
    found = Array(repeating: 0..<0, count: names.count)
    values = Array(repeating: nil, count: paths.count)
  }

  /// The value of a path in the last item read, or nil if it has none. Valid as long as the item's
  /// bytes.
  package subscript(path: Int) -> UnsafeRawBufferPointer? { values[path] }

  /// Reads a validated item.
  ///
  /// - Complexity: O(*n* + *p*), where *n* is the number of bytes and *p* of paths. For paths with
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
        for name in names.indices where reader.isSame(member, names[name]) { found[name] = value }
      }
    }
    for index in paths.indices {
      let range = found[paths[index].name]
      guard !range.isEmpty else {
        values[index] = nil
        continue
      }
      let value = UnsafeRawBufferPointer(rebasing: item[range])
      values[index] = areAllShort ? value : value.member(path: paths[index].rest)
    }
  }

  private mutating func readBare(_ item: UnsafeRawBufferPointer) {
    for (index, path) in paths.enumerated() {
      // An array item stands for an object without members.
      let isItem =
        item[0] != 0x5B && path.rest.isEmpty && Self.bareNames.contains(names[path.name])
      values[index] = isItem ? item : nil
    }
  }
}
