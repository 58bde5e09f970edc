/// The lists by name.
///
/// Each request looks up its list several times. A few names are compared one after the other, which takes
/// less time than to hash the name.
package struct ListTable: Sendable {
  /// The place of a list, valid until a list is removed.
  typealias Index = Int

  /// The maximum number of lists that are found without a hash.
  private static let few = 8

  private var names: [[UInt8]] = []

  /// The lists, all of which exist except while one is set.
  private var lists: [NamedList?] = []

  /// The place of each name; empty if there are few lists.
  private var places: [[UInt8]: Index] = [:]

  /// Creates an empty table.
  package init() {}

  /// The indices of all lists.
  var indices: Range<Index> { names.indices }

  /// The lists, in no particular order.
  var values: some RandomAccessCollection<NamedList> { lists.lazy.map { $0! } }

  /// Returns the index of the list with a name; `nil` if there is none.
  func index(of name: [UInt8]) -> Index? {
    places.isEmpty ? names.firstIndex(of: name) : places[name]
  }

  /// The list at an index.
  subscript(at index: Index) -> NamedList {
    _read { yield lists[index]! }
    _modify { yield &lists[index]! }
  }

  /// The list with a name; `nil` if there is none.
  package subscript(name: [UInt8]) -> NamedList? {
    get { index(of: name).flatMap { lists[$0] } }
    _modify {
      let index = self.index(of: name) ?? add(name)
      defer { if lists[index] == nil { remove(at: index) } }
      yield &lists[index]
    }
  }

  /// Takes the list at an index out of the table, so that it can be changed without a copy. It must be put back
  /// before anything else is done.
  mutating func take(at index: Index) { lists[index] = nil }

  /// Puts the list at an index back.
  mutating func put(_ list: consuming NamedList, at index: Index) { lists[index] = list }

  private mutating func add(_ name: [UInt8]) -> Index {
    names.append(name)
    lists.append(nil)
    if names.count > Self.few || !places.isEmpty {
      for index in places.count..<names.count { places[names[index]] = index }
    }
    return names.count - 1
  }

  private mutating func remove(at index: Index) {
    names.swapAt(index, names.count - 1)
    lists.swapAt(index, lists.count - 1)
    let name = names.removeLast()
    lists.removeLast()
    if !places.isEmpty {
      places[name] = nil
      if index < names.count { places[names[index]] = index }
    }
  }
}
