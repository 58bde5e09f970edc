import ByteBuffers
import FuzzyMatch
import JSONBytes
import ListState

/// The texts of items, prepared for many queries.
struct MatchTexts: ViewMemory {
  private var texts = TextStore()

  /// The members whose texts are matched.
  private let members: TextMembers

  /// The number of items.
  private var count = 0

  /// The number of the row of each item; empty if it is the index of the item.
  private var ownRows: [Int32] = []

  /// The number of the row of each item.
  ///
  /// - Complexity: O(*n*), where *n* is the number of items.
  var rows: [Int32] {
    get { ownRows.isEmpty ? Array(0..<Int32(truncatingIfNeeded: count)) : ownRows }
    set {
      count = newValue.count
      ownRows = newValue.indices.allSatisfy { Int(newValue[$0]) == $0 } ? [] : newValue
    }
  }

  /// The number of the row of each item; an empty array if it is the index of the item, and that of the
  /// next item will be, too.
  var numbers: [Int32] { ownRows.isEmpty && free.isEmpty ? [] : rows }

  /// Sets the number of the row of each of `count` items; an empty array if it is the index of the item.
  mutating func setRows(_ rows: [Int32], count: Int) {
    self.count = count
    ownRows = rows
  }

  /// The numbers of unused rows.
  private var free: [Int32] = []

  /// The order of the items by the keys before and after their ranks in a view.
  private var before: KeyOrder?
  private var after: KeyOrder?

  init(_ members: [[UInt8]]) { self.members = TextMembers(members) }

  /// Returns whether these are the texts of some members.
  func isMade(of members: [[UInt8]]) -> Bool { self.members.names == members }

  /// Replaces the texts by those of other items. Returns false if it `isStopped`.
  ///
  /// `toNew` maps the old items to the new ones.
  ///
  /// - Complexity: O(*b*), where *b* is the number of bytes of the items.
  mutating func follow(
    from earlier: Snapshot, to new: Snapshot, _ toNew: [Int32], isStopped: () -> Bool
  ) -> Bool {
    forgetOrders()
    var rows = [Int32](repeating: -1, count: new.itemCount)
    let old = self.rows
    let (before, after) = (ItemTexts(earlier), ItemTexts(new))
    for (item, now) in toNew.enumerated() {
      if now >= 0, Bytes.equal(before[item], after[Int(now)]) {
        rows[Int(now)] = old[item]
      } else {
        texts.remove(old[item])
        free.append(old[item])
      }
    }
    let isPrepared = prepare(new, among: &rows, isStopped: isStopped)
    self.rows = rows
    return isPrepared
  }

  /// For each item removes its old row and prepares its new text. Returns the numbers of the new rows.
  mutating func replace(_ items: [(old: Int32?, new: UnsafeRawBufferPointer?)]) -> [Int32?] {
    var reader = MemberTexts(members)
    var text = RowText()
    return items.map { old, new in
      if let old { remove(old) }
      guard let new else { return nil }
      reader.read(new, into: &text, withEmptyMembers: false)
      return add(text)
    }
  }

  private mutating func add(_ text: RowText) -> Int32 {
    let row = free.popLast() ?? Int32(truncatingIfNeeded: texts.count + free.count)
    texts.set(row, to: text)
    return row
  }

  private mutating func remove(_ row: Int32) {
    texts.remove(row)
    free.append(row)
  }

  /// Returns how well a row matches, or `nil` if it does not.
  func rank(of query: Query, _ row: Int32) -> ItemRank? {
    texts.score(query, row: row).map { score in
      ItemRank(
        score: Int32(clamping: score),
        length: Int32(truncatingIfNeeded: texts.length(of: row, matching: query)))
    }
  }

  /// Prepares the texts of all items, if none have been prepared. Returns false if it `isStopped`.
  mutating func prepare(_ items: Snapshot, isStopped: () -> Bool) -> Bool {
    // New rows have the indices of their items.
    var none: [Int32] = []
    count = items.itemCount
    texts.reserve(count)
    return prepare(items, among: &none, isStopped: isStopped)
  }

  /// Prepares the texts of the items whose row is -1, or of all if `rows` is empty. Returns false if it
  /// `isStopped`.
  private mutating func prepare(
    _ items: Snapshot, among rows: inout [Int32], isStopped: () -> Bool
  ) -> Bool {
    let source = ItemTexts(items)
    var reader = MemberTexts(members)
    var text = RowText()
    for item in 0..<items.itemCount where rows.isEmpty || rows[item] < 0 {
      if item & 0xFFF == 0xFFF, isStopped() { return false }
      reader.read(source[item], into: &text, withEmptyMembers: false)
      let row = add(text)
      if !rows.isEmpty { rows[item] = row }
    }
    return true
  }

  /// The score of an item that does not match. Matches can have negative scores.
  static let noMatch = Int32.min

  /// Returns how well all items match; `nil` if it `isStopped`.
  ///
  /// - Complexity: O(*t*), where *t* is the size of the texts, times the length of the query.
  mutating func ranks(
    of query: Query, withLengths: Bool, isStopped: () -> Bool
  ) -> ItemRanks? {
    guard !query.isEmpty else { return ItemRanks() }
    struct Stopped: Error {}
    let found: (rows: [RankedRow], lengths: [Int32])
    do throws(Stopped) {
      found = try texts.ranks(of: query, withLengths: withLengths) { () throws(Stopped) in
        if isStopped() { throw Stopped() }
      }
    } catch { return nil }
    var ranks = ItemRanks()
    ranks.scores = byItem(Self.noMatch, found.rows, found.rows.map { $0.score })
    if withLengths { ranks.lengths = byItem(0, found.rows, found.lengths) }
    return ranks
  }

  /// Returns values of rows by item; `none` for other items.
  private func byItem(_ none: Int32, _ rows: [RankedRow], _ values: [Int32]) -> [Int32] {
    var byRow = [Int32](repeating: none, count: texts.count + free.count)
    for (row, value) in zip(rows, values) { byRow[Int(row.row)] = value }
    return ownRows.isEmpty ? Array(byRow.prefix(count)) : ownRows.map { byRow[Int($0)] }
  }

  /// Returns the number of items that match, and the first of them in an order that has been prepared;
  /// `nil` if it `isStopped`.
  ///
  /// - Complexity: That of ``ranks(of:withLengths:isStopped:)``, but most scores are not computed.
  mutating func best(
    _ count: Int, of query: Query, by order: RankedOrder, isStopped: () -> Bool
  ) -> (count: Int, items: [Int32])? {
    struct Stopped: Error {}
    func check() throws(Stopped) { if isStopped() { throw Stopped() } }
    var levels = order.first.isEmpty ? [] : before!.numbers
    var places = order.rest.isEmpty ? [] : after!.numbers
    var items: [Int32] = []
    if !ownRows.isEmpty {
      items = [Int32](repeating: -1, count: texts.count + free.count)
      for (item, row) in ownRows.enumerated() { items[Int(row)] = Int32(truncatingIfNeeded: item) }
      func byRow(_ numbers: [Int32]) -> [Int32] { items.map { $0 < 0 ? -1 : numbers[Int($0)] } }
      if !levels.isEmpty { levels = byRow(levels) }
      places = places.isEmpty ? items : byRow(places)
    }
    let best: BestMatches
    do throws(Stopped) {
      let rows = RowOrder(
        levels: levels, comparesLengths: order.comparesLengths, places: places)
      best = try texts.best(count, of: query, by: rows, checking: check)
    } catch { return nil }
    return (best.count, best.rows.map { items.isEmpty ? $0.row : items[Int($0.row)] })
  }

  /// Returns all items that match, in an order; `nil` if it `isStopped`.
  func order(of query: Query, by order: RankedOrder, isStopped: () -> Bool) -> [Int32]? {
    var texts = self
    let found = texts.ranks(
      of: query, withLengths: order.comparesLengths, isStopped: isStopped)
    guard let ranks = found else { return nil }
    let items = (0..<Int32(truncatingIfNeeded: count)).filter {
      ranks.scores[Int($0)] != Self.noMatch
    }
    return sort(items, by: order, ranks, isStopped: isStopped)
  }

  /// Returns ascending items in an order that has been prepared; `nil` if it `isStopped`.
  func sort(
    _ items: [Int32], by order: RankedOrder, _ ranks: ItemRanks, isStopped: () -> Bool
  ) -> [Int32]? {
    let items = order.rest.isEmpty ? items : after!.sorted(items)
    let sorted = ScoreSorting.sort(items, ranks, isStopped: isStopped)
    return order.first.isEmpty ? sorted : sorted.map { before!.sorted($0) }
  }

  /// Prepares an order. Returns false if it `isStopped`.
  mutating func prepare(
    _ order: RankedOrder, of definition: ViewDefinition, _ items: ViewItems, isStopped: () -> Bool
  ) -> Bool {
    if !isPrepared(before, by: order.first, of: definition.members) {
      before = KeyOrder(
        of: items, by: order.first, definition, distinct: false, isStopped: isStopped)
      if before == nil { return false }
    }
    if !isPrepared(after, by: order.rest, of: definition.members) {
      after = KeyOrder(
        of: items, by: order.rest, definition, distinct: true, isStopped: isStopped)
      if after == nil { return false }
    }
    return true
  }

  /// Reports whether an order has been prepared.
  func isPrepared(_ order: RankedOrder, of members: MemberPaths) -> Bool {
    isPrepared(before, by: order.first, of: members)
      && isPrepared(after, by: order.rest, of: members)
  }

  private func isPrepared(
    _ order: KeyOrder?, by keys: [SortKey], of members: MemberPaths
  ) -> Bool {
    keys.isEmpty || order?.isMade(by: keys, of: members) == true
  }

  /// Forgets the orders that have been prepared, because items change.
  mutating func forgetOrders() {
    before = nil
    after = nil
  }
}

/// Members whose texts are read.
private struct TextMembers {
  let names: [[UInt8]]
  fileprivate let paths: MemberPaths
  fileprivate let indices: [Int]

  init(_ names: [[UInt8]]) {
    self.names = names
    var paths = MemberPaths()
    indices = names.map { paths.index(of: $0) }
    self.paths = paths
  }
}

/// Reads the texts of some members of items.
package struct MemberTexts {
  private var values: MemberValues
  private let indices: [Int]

  /// Creates a reader of the members with some names.
  package init(_ names: [[UInt8]]) { self.init(TextMembers(names)) }

  fileprivate init(_ members: TextMembers) {
    indices = members.indices
    values = MemberValues(members.paths)
  }

  /// Replaces a row by the texts of an item: strings, and numbers as they are written. Other values are
  /// empty texts, which are left out unless they are wanted.
  package mutating func read(
    _ item: UnsafeRawBufferPointer, into text: inout RowText, withEmptyMembers: Bool = true
  ) {
    values.read(item)
    text.removeAll()
    for (member, index) in indices.enumerated() {
      if member > 0, withEmptyMembers || hasCharacters(values[index]) && !text.isEmpty {
        text.endMember()
      }
      guard let value = values[index] else { continue }
      switch value[0] {
      case 0x22:
        let inside = 1..<value.count - 1
        let hasEscapes = Bytes.firstIndex(of: 0x5C, in: value, from: 0) != nil
        guard hasEscapes else {
          text.append(utf8: UnsafeRawBufferPointer(rebasing: value[inside]))
          continue
        }
        var decoded = ByteBuffer()
        JSONReader(value).decode(JSONString(range: inside, hasEscapes: true), into: &decoded)
        decoded.withUnsafeBytes { text.append(utf8: $0) }
      case 0x2D, 0x30...0x39: text.append(utf8: value)
      default: break
      }
    }
  }

  /// Returns whether the item that was read last has a text for a member.
  package func hasText(_ member: Int) -> Bool { isText(values[indices[member]]) }

  private func hasCharacters(_ value: UnsafeRawBufferPointer?) -> Bool {
    isText(value) && (value![0] != 0x22 || value!.count > 2)
  }

  private func isText(_ value: UnsafeRawBufferPointer?) -> Bool {
    guard let value else { return false }
    return value[0] == 0x22 || value[0] == 0x2D || value[0] &- 0x30 < 10
  }
}

extension RowText {
  fileprivate mutating func append(utf8 bytes: UnsafeRawBufferPointer) {
    append(utf8: bytes.bindMemory(to: UInt8.self).span)
  }
}
