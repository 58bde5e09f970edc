import ByteBuffers
import FuzzyMatch
import JSONBytes
import ListState

extension ViewDefinition {
  /// Returns the rules for one item at a time. The texts to be matched must have been prepared.
  package func itemRules(_ memory: (any ViewMemory)?) -> (rules: any ItemRules, texts: [Int32]) {
    // Texts that were prepared are kept up to date without a query, for the next one.
    let texts = memory as? MatchTexts
    precondition(match == nil || texts != nil, "the texts of a view are prepared")
    return (DefinedItems(definition: self, texts: texts), texts?.numbers ?? [])
  }
}

/// The rules of a definition for one item at a time.
private struct DefinedItems: ItemRules {
  let definition: ViewDefinition
  var texts: MatchTexts?
  let preparesTexts: Bool
  let sortsBestFirst: Bool

  /// How well some rows match the query.
  private var ranks: [Int32: ItemRank?] = [:]

  /// The most rows whose ranks are noted.
  private static let mostRanks = 4096

  init(definition: ViewDefinition, texts: MatchTexts?) {
    self.definition = definition
    self.texts = texts
    self.texts?.rows = []
    self.texts?.forgetOrders()
    preparesTexts = texts != nil
    sortsBestFirst = RankedOrder(definition)?.first.isEmpty == true
  }

  var division: ViewDivision {
    switch definition.sections {
    case .keep: .keep
    case .merge: .merge(id: Array("main".utf8), members: definition.mergedMembers)
    case .by: .groups
    }
  }

  var selectionMode: SelectionMode { definition.ownSelectionMode }
  var allowsEmptySelection: Bool { definition.ownAllowsEmptySelection }

  var sortsBySource: Bool {
    definition.sort.contains { if case .source = $0.subject { true } else { false } }
  }

  mutating func replaceTexts(
    _ items: [(old: Int32?, new: UnsafeRawBufferPointer?)]
  ) -> [Int32?] {
    for case let old? in items.lazy.map({ $0.old }) { ranks.removeValue(forKey: old) }
    return texts!.replace(items)
  }

  /// The query, if there is one that not all items match.
  private var query: Query? { definition.match.flatMap { $0.query.isEmpty ? nil : $0.query } }

  var ranksItems: Bool { query != nil }
  var sortsByRank: Bool { query != nil && definition.usesRanks }

  mutating func noteRank(of item: ViewedItem) {
    guard let query, ranks[item.text] == nil else { return }
    if ranks.count >= Self.mostRanks { ranks = [:] }
    ranks.updateValue(texts!.rank(of: query, item.text), forKey: item.text)
  }

  func rank(of item: ViewedItem) -> ItemRank? {
    guard let query else { return ItemRank() }
    return ranks[item.text] ?? texts!.rank(of: query, item.text)
  }

  func accepts(_ item: ViewedItem) -> Bool {
    if let condition = definition.condition {
      var values = MemberValues(definition.members)
      var scratch = ValueScratch()
      values.read(item.bytes)
      guard condition.isSatisfied(by: values, &scratch) else { return false }
    }
    return rank(of: item) != nil
  }

  var isDistinct: Bool { definition.distinct != nil }

  func distinctValue(of item: UnsafeRawBufferPointer) -> GroupID? {
    guard let member = definition.distinct else { return nil }
    var values = MemberValues(definition.members)
    var scratch = ValueScratch()
    values.read(item)
    guard let value = values[member], value[0] != 0x6E else { return nil }
    return scratch.encoder.withIdentifier(value) { GroupID($0, Array($1)) }
  }

  func sortKey(of item: ViewedItem) -> [UInt8] {
    var keys = ItemKeys(definition)
    return keys.sorts ? keys.key(of: item, keyRank(of: item)) : []
  }

  /// Returns how well an item matches, as far as the view sorts by it.
  private func keyRank(of item: ViewedItem) -> ItemRank {
    definition.usesRanks ? item.rank ?? rank(of: item) ?? ItemRank() : ItemRank()
  }

  func index(
    ofSortKey key: [UInt8], among items: Range<Int>, _ other: (Int) -> ViewedItem,
    isBehind: (Int) -> Bool
  ) -> Int {
    var keys = ItemKeys(definition)
    var (low, high) = (items.lowerBound, items.upperBound)
    while low < high {
      let middle = (low + high) / 2
      var order = 0
      if keys.sorts {
        let item = other(middle)
        order = keys.compare(key, item, keyRank(of: item))
      }
      if order > 0 || order == 0 && isBehind(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  func withLink<Result>(
    of item: UnsafeRawBufferPointer,
    _ body: ((kind: IDKind, id: UnsafeRawBufferPointer)?, _ isLazy: Bool) -> Result
  ) -> Result {
    var links = LinkReader(definition.outline?.parent)
    return links.read(item, body)
  }

  func group(of item: UnsafeRawBufferPointer) -> GroupID {
    guard case .by(let member) = definition.sections else {
      preconditionFailure("the view has groups")
    }
    var values = MemberValues(definition.members)
    var text = ByteBuffer()
    values.read(item)
    return Groups.withIdentifier(of: values[member], &text) { GroupID($0, Array($1)) }
  }

  func members(
    of group: GroupID, first: UnsafeRawBufferPointer, count: Int
  ) -> [UInt8] {
    guard case .by(let member) = definition.sections else {
      preconditionFailure("the view has groups")
    }
    var values = MemberValues(definition.members)
    values.read(first)
    var out = ByteBuffer()
    out.append(
      membersOf: group, value: values[member], count: count, ownMembers: definition.ownMembers)
    return out.withUnsafeBytes { Array($0) }
  }

  func memory(texts rows: [Int32], count: Int) -> (any ViewMemory)? {
    guard var texts else { return nil }
    texts.setRows(rows, count: count)
    return texts
  }
}

/// The keys by which a view sorts items, with scratch memory that is reused for each item.
private struct ItemKeys: ~Copyable {
  private let definition: ViewDefinition
  private var values: MemberValues
  private var scratch = ValueScratch()

  /// Whether items are sorted by anything other than their order in the sources.
  let sorts: Bool

  init(_ definition: ViewDefinition) {
    self.definition = definition
    values = MemberValues(definition.members)
    sorts =
      definition.sortsByScore ? !definition.match!.query.isEmpty : !definition.sort.isEmpty
  }

  /// Returns bytes that compare as the view sorts items.
  mutating func key(of item: ViewedItem, _ rank: ItemRank) -> [UInt8] {
    write(item, rank)
    return scratch.key.withUnsafeBytes { Array($0) }
  }

  /// Compares a key with that of an item: negative if the key precedes it, positive if it follows
  /// it, otherwise 0.
  mutating func compare(_ key: [UInt8], _ item: ViewedItem, _ rank: ItemRank) -> Int {
    write(item, rank)
    return key.withUnsafeBytes { own in
      scratch.key.withUnsafeBytes { other in
        if Bytes.precedes(own, other) { return -1 }
        return Bytes.precedes(other, own) ? 1 : 0
      }
    }
  }

  private mutating func write(_ item: ViewedItem, _ rank: ItemRank) {
    scratch.key.removeAll()
    if definition.sortsByScore {
      scratch.key.append(bigEndian: UInt64(Int64(Int32.max) - Int64(rank.score)))
      scratch.key.append(bigEndian: UInt64(rank.length))
      return
    }
    values.read(item.bytes)
    definition.append(definition.sort, of: values, source: item.source, rank, &scratch)
  }
}
