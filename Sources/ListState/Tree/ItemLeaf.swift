import ByteBuffers
import ListDiff

/// An item of a list: its key and its columns.
struct ItemRecord: Sendable {
  var key: UInt32
  var payload: Payload
  var details = ItemDetails()
  var traits: ItemTraits

  /// The key of the item's template plus one, 0 for the default template.
  var template: UInt32 { details.template }

  /// The number of the item's parts in the list's ``PartTable``, 0 if the item is a row.
  var parts: UInt32 {
    get { details.parts }
    set { details.parts = newValue }
  }
}

/// What most items do not have: the key of a template plus one, 0 for the default template, and the
/// number of parts in the list's ``PartTable``, 0 if the item is a row.
struct ItemDetails: Hashable, BitwiseCopyable, Sendable {
  var template: UInt32 = 0
  var parts: UInt32 = 0
}

/// Consecutive items of one section, as columns.
///
/// Leaves share the columns of a snapshot until they are changed.
struct ItemLeaf: Sendable {
  /// The maximum number of items, and the number below which a leaf is merged with a neighbor if
  /// possible.
  static let capacity = 256
  static let least = 64

  private(set) var keys: [UInt32] = []

  /// The texts. Empty if they are in another tree.
  private(set) var payloads: [Payload] = []

  private(set) var traits: [ItemTraits] = []

  /// The templates and parts. Empty if all items have the default template and none has parts.
  private var details: [ItemDetails] = []

  /// The range of the leaf's items in the columns.
  private(set) var range: Range<Int> {
    get { Int(bounds.lowerBound)..<Int(bounds.upperBound) }
    set {
      let start = Int32(truncatingIfNeeded: newValue.lowerBound)
      bounds = start..<Int32(truncatingIfNeeded: newValue.upperBound)
    }
  }

  private var bounds: Range<Int32> = 0..<0

  /// The number of the change that saved or created the leaf.
  var change: UInt32 = 0

  init() {}

  /// Creates a leaf that shares the columns of a snapshot. `details` has the templates and parts of
  /// its items, unless all are the default. Unless `withTexts`, the texts are in another tree.
  init(_ range: Range<Int>, of snapshot: Snapshot, details: [ItemDetails], withTexts: Bool) {
    keys = snapshot.arrangement.rows
    if withTexts { payloads = snapshot.payloads }
    traits = snapshot.traits
    self.details = details
    self.range = range
  }

  var count: Int { range.count }

  /// Whether an item may have a template or parts.
  var hasDetails: Bool { !details.isEmpty }

  subscript(index: Int) -> ItemRecord {
    let row = range.lowerBound + index
    return ItemRecord(
      key: keys[row], payload: payloads.isEmpty ? .empty : payloads[row],
      details: details.isEmpty ? ItemDetails() : details[row], traits: traits[row])
  }

  var records: Records { Records(leaf: self) }

  /// The items of a leaf.
  struct Records: RandomAccessCollection {
    let leaf: ItemLeaf
    var startIndex: Int { 0 }
    var endIndex: Int { leaf.count }
    subscript(index: Int) -> ItemRecord { leaf[index] }
  }

  /// Returns the number of consecutive items, at most `most`, that are equal in another leaf.
  /// `step` is 1 to count forward from both indices, or -1 to count backward.
  // A call does not retain the columns, which inlined code would.
  @inline(never)
  func commonCount(
    at index: Int, _ other: ItemLeaf, at otherIndex: Int, by step: Int, atMost most: Int
  ) -> Int {
    let rows = (range.lowerBound + index, other.range.lowerBound + otherIndex)
    // No element has padding.
    func common<Element: BitwiseCopyable>(
      _ one: [Element], _ other: [Element], _ most: Int
    ) -> Int {
      // A column that the change has left as it was is shared.
      if rows.0 == rows.1, one.span.isIdentical(to: other.span) { return most }
      let size = MemoryLayout<Element>.stride
      let behind = step > 0 ? 0 : most - 1
      let ranges = (
        (rows.0 - behind) * size..<(rows.0 - behind + most) * size,
        (rows.1 - behind) * size..<(rows.1 - behind + most) * size
      )
      return one.withUnsafeBytes { one in
        other.withUnsafeBytes { other in
          let one = UnsafeRawBufferPointer(rebasing: one[ranges.0])
          let other = UnsafeRawBufferPointer(rebasing: other[ranges.1])
          let count =
            step > 0
            ? Bytes.commonPrefix(one, other) : Bytes.commonSuffix(one, other, limit: one.count)
          return count / size
        }
      }
    }
    let keys = common(keys, other.keys, most)
    return common(traits, other.traits, common(payloads, other.payloads, keys))
  }

  func key(at index: Int) -> UInt32 { keys[range.lowerBound + index] }
  func payload(at index: Int) -> Payload { payloads[range.lowerBound + index] }
  func isSelected(at index: Int) -> Bool { traits[range.lowerBound + index].contains(.selected) }
  func isBarred(at index: Int) -> Bool { traits[range.lowerBound + index].contains(.notSelectable) }
  func isHidden(at index: Int) -> Bool { traits[range.lowerBound + index].contains(.hidden) }

  /// Returns the number of an item's parts.
  func parts(at index: Int) -> UInt32 {
    details.isEmpty ? 0 : details[range.lowerBound + index].parts
  }

  /// Returns the number of items with a trait.
  func count(of trait: ItemTraits) -> Int { traits[range].count { $0.contains(trait) } }

  /// Returns the number of rows of the items, the parts of which are in `parts`.
  func rowCount(_ parts: PartTable) -> Int {
    details.isEmpty ? count : details[range].reduce(0) { $0 + parts.rowCount($1.parts) }
  }

  /// Returns the index of the item with a key.
  func index(of key: UInt32) -> Int? {
    let keys = keys.span.extracting(range)
    var index = 0
    // Most blocks do not have the key. They are compared without a branch for each item.
    while index + 8 <= keys.count {
      var isFound = false
      for next in index..<index + 8 { isFound = isFound != (keys[next] == key) }
      if isFound { break }
      index += 8
    }
    while index < keys.count, keys[index] != key { index += 1 }
    return index < keys.count ? index : nil
  }

  /// Copies shared columns, with room for changes.
  private mutating func copyColumns() {
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
    details = copy(details)
    range = 0..<keys.count
  }

  /// Inserts items before the item at an index.
  mutating func insert(_ records: some Collection<ItemRecord>, at index: Int) {
    copyColumns()
    let hadDetails = !details.isEmpty
    let hasDetails = hadDetails || records.contains { $0.details != ItemDetails() }
    if hasDetails, !hadDetails { details = Array(repeating: ItemDetails(), count: keys.count) }
    keys.insert(contentsOf: records.lazy.map(\.key), at: index)
    if !payloads.isEmpty || records.contains(where: { $0.payload != .empty }) {
      payloads.insert(contentsOf: records.lazy.map(\.payload), at: index)
    }
    traits.insert(contentsOf: records.lazy.map(\.traits), at: index)
    if hasDetails { details.insert(contentsOf: records.lazy.map(\.details), at: index) }
    range = 0..<keys.count
  }

  /// Returns a leaf with some of the items, which shares the columns.
  func part(_ indices: Range<Int>) -> ItemLeaf {
    var part = self
    let start = range.lowerBound
    part.range = start + indices.lowerBound..<start + indices.upperBound
    return part
  }

  /// Removes items.
  mutating func remove(_ indices: Range<Int>) {
    copyColumns()
    keys.removeSubrange(indices)
    if !payloads.isEmpty { payloads.removeSubrange(indices) }
    traits.removeSubrange(indices)
    if !details.isEmpty { details.removeSubrange(indices) }
    range = 0..<keys.count
  }

  /// Replaces an item.
  mutating func replace(_ index: Int, with record: ItemRecord) {
    copyColumns()
    if details.isEmpty, record.details != ItemDetails() {
      details = Array(repeating: ItemDetails(), count: keys.count)
    }
    // A column that stays the same is still shared with the leaf that was saved.
    if keys[index] != record.key { keys[index] = record.key }
    if !payloads.isEmpty, payloads[index] != record.payload { payloads[index] = record.payload }
    if traits[index] != record.traits { traits[index] = record.traits }
    if !details.isEmpty, details[index] != record.details { details[index] = record.details }
  }

  /// Appends the items, without their parts, to a snapshot. Omits the ranges of their texts unless
  /// `withTexts`.
  func append(to snapshot: inout Snapshot, withTexts: Bool) {
    let templates = details[details.isEmpty ? 0..<0 : range].lazy.map(\.template)
    let hasTemplates = !snapshot.templates.isEmpty || templates.contains { $0 != 0 }
    if hasTemplates, snapshot.templates.isEmpty {
      snapshot.templates = Array(repeating: 0, count: snapshot.arrangement.rows.count)
    }
    snapshot.arrangement.rows.append(contentsOf: keys[range])
    if withTexts { snapshot.payloads.append(contentsOf: payloads[range]) }
    snapshot.traits.append(
      contentsOf: traits[range].lazy.map { $0.subtracting([.selected, .hidden]) })
    if !details.isEmpty, hasTemplates {
      snapshot.templates.append(contentsOf: templates)
    } else if hasTemplates {
      snapshot.templates.append(contentsOf: repeatElement(0, count: count))
    }
  }
}
