import ListDiff

/// What a message or an edit has brought, as columns of items. The leaves of a list are slices of blocks.
///
/// A block is changed only while one leaf has it, and that leaf has all of its items.
final class ItemBlock: @unchecked Sendable {
  @exclusivity(unchecked) private(set) var keys: [UInt32]

  /// The texts. Empty if they are in another tree.
  @exclusivity(unchecked) private(set) var payloads: [Payload]

  @exclusivity(unchecked) private(set) var traits: [ItemTraits]

  /// The templates and parts. Empty if all items have the default template and none has parts.
  @exclusivity(unchecked) private(set) var details: [ItemDetails]

  /// Whether the texts are known to follow each other in the first buffer of the list.
  @exclusivity(unchecked) private(set) var textsAscend = false

  init(
    keys: [UInt32] = [], payloads: [Payload] = [], traits: [ItemTraits] = [],
    details: [ItemDetails] = []
  ) {
    self.keys = keys
    self.payloads = payloads
    self.traits = traits
    self.details = details
  }

  /// Creates a block that shares the columns of a snapshot. `details` has the templates and parts of
  /// its items, unless all are the default. Unless `withTexts`, the texts are in another tree.
  convenience init(_ snapshot: Snapshot, details: [ItemDetails], withTexts: Bool) {
    self.init(
      keys: snapshot.arrangement.rows, payloads: withTexts ? snapshot.payloads : [],
      traits: snapshot.traits, details: details)
    textsAscend = withTexts && snapshot.textsAscend
  }

  /// A block without items.
  static let empty = ItemBlock()
}

extension ItemBlock {
  /// Returns the index, among some items, of the one with a key.
  func index(of key: UInt32, in items: Range<Int>) -> Int? {
    keys.withUnsafeBufferPointer { all in
      let keys = UnsafeBufferPointer(rebasing: all[items])
      // New items of a snapshot have consecutive keys.
      let guess = keys.isEmpty ? 0 : Int(key) - Int(keys[0])
      if keys.indices.contains(guess), keys[guess] == key { return guess }
      var index = 0
      // Most groups do not have the key. They are compared without a branch for each item.
      while index + 8 <= keys.count {
        var isFound = false
        for next in index..<index + 8 { isFound = isFound != (keys[next] == key) }
        if isFound { break }
        index += 8
      }
      while index < keys.count, keys[index] != key { index += 1 }
      return index < keys.count ? index : nil
    }
  }

  /// A block with the same columns, which are copied when they are changed.
  var copy: ItemBlock {
    ItemBlock(keys: keys, payloads: payloads, traits: traits, details: details)
  }

  /// Returns a block with some of the items, and with room for about a quarter more, up to a capacity.
  func copy(_ items: Range<Int>, capacity: Int) -> ItemBlock {
    func copy<Element>(_ column: [Element]) -> [Element] {
      var own: [Element] = []
      if column.isEmpty { return own }
      own.reserveCapacity(min(capacity, items.count + items.count / 4 + 1))
      own.append(contentsOf: column[items])
      return own
    }
    return ItemBlock(
      keys: copy(keys), payloads: copy(payloads), traits: copy(traits), details: copy(details))
  }

  /// Inserts items before the item at an index. Their states are those of a leaf.
  func insert(_ records: some Collection<ItemRecord>, at index: Int) {
    textsAscend = false
    let hadDetails = !details.isEmpty
    let hasDetails = hadDetails || records.contains { $0.details != ItemDetails() }
    if hasDetails, !hadDetails { details = Array(repeating: ItemDetails(), count: keys.count) }
    keys.insert(contentsOf: records.lazy.map(\.key), at: index)
    if !payloads.isEmpty || records.contains(where: { $0.payload != .empty }) {
      payloads.insert(contentsOf: records.lazy.map(\.payload), at: index)
    }
    traits.insert(contentsOf: records.lazy.map(\.traits.withoutState), at: index)
    if hasDetails { details.insert(contentsOf: records.lazy.map(\.details), at: index) }
  }

  func remove(_ indices: Range<Int>) {
    textsAscend = false
    keys.removeSubrange(indices)
    if !payloads.isEmpty { payloads.removeSubrange(indices) }
    traits.removeSubrange(indices)
    if !details.isEmpty { details.removeSubrange(indices) }
  }

  func replace(_ index: Int, with record: ItemRecord) {
    textsAscend = false
    if details.isEmpty, record.details != ItemDetails() {
      details = Array(repeating: ItemDetails(), count: keys.count)
    }
    // A column that stays the same is still shared with the block of the leaf that was saved.
    if keys[index] != record.key { keys[index] = record.key }
    if !payloads.isEmpty, payloads[index] != record.payload { payloads[index] = record.payload }
    let own = record.traits.withoutState
    if traits[index] != own { traits[index] = own }
    if !details.isEmpty, details[index] != record.details { details[index] = record.details }
  }
}

extension ItemTraits {
  /// The traits without those that a list gives to an item.
  var withoutState: ItemTraits { subtracting([.selected, .hidden]) }
}
