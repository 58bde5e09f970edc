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

  var content: ItemContent { (payload, parts) }
}

/// The text of an item, and the number of its parts in the list's ``PartTable``.
typealias ItemContent = (payload: Payload, parts: UInt32)

/// What most items do not have: the key of a template plus one, 0 for the default template, and the
/// number of parts in the list's ``PartTable``, 0 if the item is a row.
struct ItemDetails: Hashable, BitwiseCopyable, Sendable {
  var template: UInt32 = 0
  var parts: UInt32 = 0
}

/// Consecutive items of one section: a slice of a block, and what a list adds to its items.
struct ItemLeaf: Sendable {
  /// The maximum number of items, and the number below which a leaf is merged with a neighbor if
  /// possible.
  static let capacity = 256
  static let least = 64

  private(set) var block: ItemBlock
  private var bounds: Range<Int32>

  /// The number of the change that saved or created the leaf.
  var change: UInt32 = 0

  /// The numbers of items at the start and at the end that that change has left as they were.
  private var unchangedHead: UInt16 = 0
  private var unchangedTail: UInt16 = 0

  /// The selected items, and those of an outline that are collapsed.
  var selected = ItemMask()
  var hidden = ItemMask()

  /// The range of the leaf's items in the block.
  private(set) var range: Range<Int> {
    get { Int(bounds.lowerBound)..<Int(bounds.upperBound) }
    set {
      let start = Int32(truncatingIfNeeded: newValue.lowerBound)
      bounds = start..<Int32(truncatingIfNeeded: newValue.upperBound)
    }
  }

  /// Creates a leaf without items.
  init() {
    block = .empty
    bounds = 0..<0
  }

  /// Creates a leaf with some items of a block.
  init(_ range: Range<Int>, of block: ItemBlock) {
    self.block = block
    bounds = 0..<0
    self.range = range
  }

  /// Returns a leaf with some of the items.
  func part(_ indices: Range<Int>) -> ItemLeaf {
    let first = range.lowerBound
    var part = ItemLeaf(first + indices.lowerBound..<first + indices.upperBound, of: block)
    part.selected = selected.part(indices)
    part.hidden = hidden.part(indices)
    return part
  }

  /// Replaces the items by as many equal ones of a block. Their states stay.
  mutating func move(to items: Range<Int>, of block: ItemBlock) {
    self.block = block
    range = items
    (unchangedHead, unchangedTail) = (0, 0)
  }

  var count: Int { range.count }

  /// Whether an item may have a template or parts.
  var hasDetails: Bool { !block.details.isEmpty }

  subscript(index: Int) -> ItemRecord {
    let row = range.lowerBound + index
    return ItemRecord(
      key: block.keys[row], payload: block.payloads.isEmpty ? .empty : block.payloads[row],
      details: block.details.isEmpty ? ItemDetails() : block.details[row], traits: traits(at: index)
    )
  }

  /// Returns the traits of an item, with its state.
  private func traits(at index: Int) -> ItemTraits {
    var traits = block.traits[range.lowerBound + index]
    guard hasState else { return traits }
    if selected[index] { traits.add(.selected) }
    if hidden[index] { traits.add(.hidden) }
    return traits
  }

  var records: Records { Records(leaf: self) }

  /// The items of a leaf.
  struct Records: RandomAccessCollection {
    let leaf: ItemLeaf
    var startIndex: Int { 0 }
    var endIndex: Int { leaf.count }
    subscript(index: Int) -> ItemRecord { leaf[index] }
  }

  /// The keys of the items.
  var keys: ArraySlice<UInt32> { block.keys[range] }

  /// Returns the keys of some items.
  func keys(_ indices: Range<Int>) -> ArraySlice<UInt32> {
    let first = range.lowerBound
    return block.keys[first + indices.lowerBound..<first + indices.upperBound]
  }

  /// Returns the number of consecutive items, at most `most`, that are equal in another leaf.
  /// `step` is 1 to count forward from both indices, or -1 to count backward.
  // A call does not retain the columns, which inlined code would.
  @inline(never)
  func commonCount(
    at index: Int, _ other: ItemLeaf, at otherIndex: Int, by step: Int, atMost most: Int
  ) -> Int {
    let rows = (range.lowerBound + index, other.range.lowerBound + otherIndex)
    // Most often the first items differ.
    if most > 0, block.keys[rows.0] != other.block.keys[rows.1] { return 0 }
    if most > 0, !block.payloads.isEmpty, !other.block.payloads.isEmpty,
      block.payloads[rows.0] != other.block.payloads[rows.1]
    {
      return 0
    }
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
    var count = common(block.keys, other.block.keys, most)
    count = common(block.payloads, other.block.payloads, count)
    count = common(block.traits, other.block.traits, count)
    return hasState || other.hasState
      ? commonStates(at: index, other, at: otherIndex, by: step, atMost: count) : count
  }

  /// Whether an item is selected or collapsed.
  private var hasState: Bool { !selected.isEmpty || !hidden.isEmpty }

  private func commonStates(
    at index: Int, _ other: ItemLeaf, at otherIndex: Int, by step: Int, atMost most: Int
  ) -> Int {
    for offset in 0..<most {
      let (one, two) = (index + offset * step, otherIndex + offset * step)
      if selected[one] != other.selected[two] || hidden[one] != other.hidden[two] { return offset }
    }
    return most
  }

  func key(at index: Int) -> UInt32 { block.keys[range.lowerBound + index] }
  func payload(at index: Int) -> Payload { block.payloads[range.lowerBound + index] }
  func isSelected(at index: Int) -> Bool { selected[index] }
  func isHidden(at index: Int) -> Bool { hidden[index] }

  func isBarred(at index: Int) -> Bool {
    block.traits[range.lowerBound + index].contains(.notSelectable)
  }

  func content(at index: Int) -> ItemContent { (text(at: index), parts(at: index)) }

  /// Returns the text of an item, which is empty if it is in another tree.
  func text(at index: Int) -> Payload {
    block.payloads.isEmpty ? .empty : block.payloads[range.lowerBound + index]
  }

  /// Returns the number of an item's parts.
  func parts(at index: Int) -> UInt32 {
    block.details.isEmpty ? 0 : block.details[range.lowerBound + index].parts
  }

  /// Returns the number of rows of some items, the parts of which are in `parts`.
  func rowCount(of indices: Range<Int>, _ parts: PartTable) -> Int {
    if block.details.isEmpty { return indices.count }
    let first = range.lowerBound
    return block.details[first + indices.lowerBound..<first + indices.upperBound]
      .reduce(0) { $0 + parts.rowCount($1.parts) }
  }

  /// Returns the index of the item with a key.
  func index(of key: UInt32) -> Int? { block.index(of: key, in: range) }

  // MARK: Changes

  /// Records that the leaf has been saved by a change.
  mutating func begin(_ change: UInt32) {
    self.change = change
    unchangedHead = UInt16(truncatingIfNeeded: count)
    unchangedTail = unchangedHead
  }

  /// Records that some items are about to be changed or removed, or others to be inserted there.
  private mutating func willChange(_ indices: Range<Int>) {
    unchangedHead = min(unchangedHead, UInt16(truncatingIfNeeded: indices.lowerBound))
    unchangedTail = min(unchangedTail, UInt16(truncatingIfNeeded: count - indices.upperBound))
  }

  /// Returns the number of consecutive items, at most `most`, that are known to be those that the leaf had
  /// when it was saved, where it had `savedCount`. `index` and `savedIndex` are the indices of the first
  /// one; `step` is 1 to count forward, or -1 to count backward.
  func unchangedCount(
    at index: Int, savedAt savedIndex: Int, of savedCount: Int, by step: Int, atMost most: Int
  ) -> Int {
    if step > 0 {
      return index == savedIndex ? max(0, min(most, Int(unchangedHead) - index)) : 0
    }
    let behind = count - 1 - index
    guard behind == savedCount - 1 - savedIndex else { return 0 }
    return max(0, min(most, Int(unchangedTail) - behind))
  }

  /// Selects or deselects an item.
  mutating func setSelected(_ isSelected: Bool, at index: Int) {
    willChange(index..<index + 1)
    selected[index] = isSelected
  }

  /// Collapses or expands an item.
  mutating func setHidden(_ isHidden: Bool, at index: Int) {
    willChange(index..<index + 1)
    hidden[index] = isHidden
  }

  /// Gives the leaf a block of its own, with room for changes. Columns that stay the same are still
  /// shared.
  private mutating func makeOwn() {
    guard range.count == block.keys.count else {
      block = block.copy(range, capacity: Self.capacity)
      range = 0..<block.keys.count
      return
    }
    if !isKnownUniquelyReferenced(&block) { block = block.copy }
  }

  /// Inserts items before the item at an index.
  mutating func insert(_ records: some Collection<ItemRecord>, at index: Int) {
    willChange(index..<index)
    makeOwn()
    block.insert(records, at: index)
    selected.insert(records.count, at: index)
    hidden.insert(records.count, at: index)
    for (offset, record) in records.enumerated() { setState(of: record, at: index + offset) }
    range = 0..<block.keys.count
  }

  private mutating func setState(of record: ItemRecord, at index: Int) {
    if record.traits.contains(.selected) { selected[index] = true }
    if record.traits.contains(.hidden) { hidden[index] = true }
  }

  /// Returns leaves of up to `width` items that have those of this leaf, and other items before the
  /// one at an index. The leaves share a block.
  func inserting(_ records: [ItemRecord], at index: Int, width: Int) -> [ItemLeaf] {
    let all = block.copy(range, capacity: count + records.count)
    all.insert(records, at: index)
    let count = count + records.count
    var leaves = stride(from: 0, to: count, by: width).map {
      ItemLeaf($0..<min($0 + width, count), of: all)
    }
    if !hasState, records.allSatisfy({ $0.traits == $0.traits.withoutState }) { return leaves }
    var states = self.records.map(\.traits)
    states.insert(contentsOf: records.lazy.map(\.traits), at: index)
    for (index, state) in states.enumerated() where state != state.withoutState {
      let (leaf, item) = index.quotientAndRemainder(dividingBy: width)
      leaves[leaf].selected[item] = state.contains(.selected)
      leaves[leaf].hidden[item] = state.contains(.hidden)
    }
    return leaves
  }

  /// Removes items.
  mutating func remove(_ indices: Range<Int>) {
    willChange(indices)
    makeOwn()
    block.remove(indices)
    selected.remove(indices)
    hidden.remove(indices)
    range = 0..<block.keys.count
  }

  /// Replaces an item, whose state stays.
  mutating func replace(_ index: Int, with record: ItemRecord) {
    willChange(index..<index + 1)
    makeOwn()
    block.replace(index, with: record)
  }

  /// Appends the items, without their parts, to a snapshot.
  func append(to snapshot: inout Snapshot) {
    let details = block.details
    let templates = details[details.isEmpty ? 0..<0 : range].lazy.map(\.template)
    let hasTemplates = !snapshot.templates.isEmpty || templates.contains { $0 != 0 }
    if hasTemplates, snapshot.templates.isEmpty {
      snapshot.templates = Array(repeating: 0, count: snapshot.arrangement.rows.count)
    }
    snapshot.arrangement.rows.append(contentsOf: keys)
    if block.payloads.isEmpty {
      snapshot.payloads.append(contentsOf: repeatElement(.empty, count: count))
    } else {
      snapshot.payloads.append(contentsOf: block.payloads[range])
    }
    snapshot.traits.append(contentsOf: block.traits[range])
    if !details.isEmpty, hasTemplates {
      snapshot.templates.append(contentsOf: templates)
    } else if hasTemplates {
      snapshot.templates.append(contentsOf: repeatElement(0, count: count))
    }
  }
}
