import ListDiff

/// What a list keeps of an item.
struct ItemRecord: Sendable {
  var key: UInt32
  var payload: Payload
  var traits: ItemTraits

  /// The key of the item's template plus one, 0 for the default.
  var template: UInt32 = 0
}

/// Consecutive items of one section, as columns.
///
/// Many leaves share the columns of a snapshot until they are changed.
struct ItemLeaf: Sendable {
  /// The most items of a leaf, and below how many it is merged with a neighbour if that has room.
  static let capacity = 256
  static let least = 64

  private(set) var keys: [UInt32] = []
  private(set) var payloads: [Payload] = []
  private(set) var traits: [ItemTraits] = []

  /// Empty if all items have the default template.
  private var templates: [UInt32] = []

  /// The leaf's items in the columns.
  private(set) var range: Range<Int> {
    get { Int(bounds.lowerBound)..<Int(bounds.upperBound) }
    set {
      let start = Int32(truncatingIfNeeded: newValue.lowerBound)
      bounds = start..<Int32(truncatingIfNeeded: newValue.upperBound)
    }
  }

  private var bounds: Range<Int32> = 0..<0

  /// The change during which the leaf was saved, or made.
  var change: UInt32 = 0

  init() {}

  /// Items of a snapshot whose columns the leaf shares.
  init(_ range: Range<Int>, of snapshot: Snapshot) {
    keys = snapshot.arrangement.rows
    payloads = snapshot.payloads
    traits = snapshot.traits
    templates = snapshot.templates
    self.range = range
  }

  var count: Int { range.count }

  subscript(index: Int) -> ItemRecord {
    let place = range.lowerBound + index
    return ItemRecord(
      key: keys[place], payload: payloads[place], traits: traits[place],
      template: templates.isEmpty ? 0 : templates[place])
  }

  var records: some RandomAccessCollection<ItemRecord> { (0..<count).lazy.map { self[$0] } }

  /// The number of items that are the same in another leaf, at most `most`, from an index on in both or,
  /// in steps of -1, back from an index.
  func commonCount(
    at index: Int, _ other: ItemLeaf, at otherIndex: Int, by step: Int, _ most: Int
  ) -> Int {
    let places = (range.lowerBound + index, other.range.lowerBound + otherIndex)
    func common<Element: Equatable>(_ one: [Element], _ other: [Element], _ most: Int) -> Int {
      one.withUnsafeBufferPointer { one in
        other.withUnsafeBufferPointer { other in
          var count = 0
          while count < most, one[places.0 + step * count] == other[places.1 + step * count] {
            count += 1
          }
          return count
        }
      }
    }
    let keys = common(keys, other.keys, most)
    return common(traits, other.traits, common(payloads, other.payloads, keys))
  }

  func key(at index: Int) -> UInt32 { keys[range.lowerBound + index] }
  func isSelected(at index: Int) -> Bool { traits[range.lowerBound + index].contains(.selected) }

  /// The index of the item with a key.
  func index(of key: UInt32) -> Int? {
    keys.withUnsafeBufferPointer { keys in
      for index in range where keys[index] == key { return index - range.lowerBound }
      return nil
    }
  }

  /// Makes the columns the leaf's own, with room for changes.
  private mutating func own() {
    guard range.count != keys.count else { return }
    func copy<Element>(_ column: [Element]) -> [Element] {
      var own: [Element] = []
      if column.isEmpty { return own }
      own.reserveCapacity(min(Self.capacity, range.count + range.count / 4 + 1))
      own.append(contentsOf: column[range])
      return own
    }
    keys = copy(keys)
    payloads = copy(payloads)
    traits = copy(traits)
    templates = copy(templates)
    range = 0..<keys.count
  }

  /// Inserts items before the one at an index.
  mutating func insert(_ records: some Collection<ItemRecord>, at index: Int) {
    own()
    let hadTemplates = !templates.isEmpty
    let hasTemplates = hadTemplates || records.contains { $0.template != 0 }
    if hasTemplates, !hadTemplates { templates = Array(repeating: 0, count: keys.count) }
    keys.insert(contentsOf: records.lazy.map(\.key), at: index)
    payloads.insert(contentsOf: records.lazy.map(\.payload), at: index)
    traits.insert(contentsOf: records.lazy.map(\.traits), at: index)
    if hasTemplates { templates.insert(contentsOf: records.lazy.map(\.template), at: index) }
    range = 0..<keys.count
  }

  /// Removes items.
  mutating func remove(_ indices: Range<Int>) {
    own()
    keys.removeSubrange(indices)
    payloads.removeSubrange(indices)
    traits.removeSubrange(indices)
    if !templates.isEmpty { templates.removeSubrange(indices) }
    range = 0..<keys.count
  }

  /// Replaces an item.
  mutating func replace(_ index: Int, with record: ItemRecord) {
    own()
    if templates.isEmpty, record.template != 0 {
      templates = Array(repeating: 0, count: keys.count)
    }
    keys[index] = record.key
    payloads[index] = record.payload
    traits[index] = record.traits
    if !templates.isEmpty { templates[index] = record.template }
  }

  /// Appends the columns to those of a snapshot.
  func append(to snapshot: inout Snapshot) {
    if !templates.isEmpty, snapshot.templates.isEmpty {
      snapshot.templates = Array(repeating: 0, count: snapshot.payloads.count)
    }
    snapshot.arrangement.rows.append(contentsOf: keys[range])
    snapshot.payloads.append(contentsOf: payloads[range])
    snapshot.traits.append(contentsOf: traits[range].lazy.map { $0.subtracting(.selected) })
    if !templates.isEmpty {
      snapshot.templates.append(contentsOf: templates[range])
    } else if !snapshot.templates.isEmpty {
      snapshot.templates.append(contentsOf: repeatElement(0, count: count))
    }
  }
}
