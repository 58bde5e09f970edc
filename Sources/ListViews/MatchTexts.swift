import ByteBuffers
import FuzzyMatch
import JSONBytes
import ListState

/// The texts of items, prepared for many queries.
struct MatchTexts: ViewMemory {
  private var texts = TextStore()

  /// The names of the members whose texts are matched.
  private let members: [[UInt8]]

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

  /// Sets the number of the row of each of `count` items; an empty array if it is the index of the item.
  mutating func setRows(_ rows: [Int32], count: Int) {
    self.count = count
    ownRows = rows
  }

  /// The numbers of unused rows.
  private var free: [Int32] = []

  init(_ members: [[UInt8]]) { self.members = members }

  /// Returns whether these are the texts of some members.
  func isMade(of members: [[UInt8]]) -> Bool { self.members == members }

  /// Replaces the texts by those of other items. Returns false if it `isStopped`.
  ///
  /// `toNew` maps the old items to the new ones.
  ///
  /// - Complexity: O(*b*), where *b* is the number of bytes of the items.
  mutating func follow(
    from earlier: Snapshot, to new: Snapshot, _ toNew: [Int32], isStopped: () -> Bool
  ) -> Bool {
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

  /// Prepares the text of an item. Returns the number of its row.
  mutating func add(_ item: UnsafeRawBufferPointer) -> Int32 {
    var reader = MemberTexts(members)
    var text = RowText()
    reader.read(item, into: &text)
    return add(text)
  }

  private mutating func add(_ text: RowText) -> Int32 {
    let row = free.popLast() ?? Int32(truncatingIfNeeded: texts.count + free.count)
    texts.set(row, to: text)
    return row
  }

  /// Removes a row.
  mutating func remove(_ row: Int32) {
    texts.remove(row)
    free.append(row)
  }

  /// Returns the score of a row, or `nil` if it does not match.
  func score(of query: Query, _ row: Int32) -> Int? { texts.score(query, row: row) }

  /// Returns the score of a row that matches, and its length.
  func rank(of query: Query, _ row: Int32) -> (score: Int32, length: Int32) {
    (
      Int32(clamping: texts.score(query, row: row) ?? 0),
      Int32(truncatingIfNeeded: texts.length(of: row, matching: query))
    )
  }

  /// Prepares the texts of all items, if none have been prepared. Returns false if it `isStopped`.
  mutating func prepare(_ items: Snapshot, isStopped: () -> Bool) -> Bool {
    // New rows have the indices of their items.
    var none: [Int32] = []
    count = items.itemCount
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
      reader.read(source[item], into: &text)
      let row = add(text)
      if !rows.isEmpty { rows[item] = row }
    }
    return true
  }

  /// The score of an item that does not match. Matches can have negative scores.
  static let noMatch = Int32.min

  /// Returns the scores of all items, `noMatch` for those that do not match; `nil` if it `isStopped`.
  ///
  /// - Complexity: O(*t*), where *t* is the size of the texts, times the length of the query.
  mutating func scores(of query: Query, isStopped: () -> Bool) -> [Int32]? {
    struct Stopped: Error {}
    let matches: Matches
    do throws(Stopped) {
      matches = try texts.matches(of: query) { () throws(Stopped) in
        if isStopped() { throw Stopped() }
      }
    } catch { return nil }
    var byRow = [Int32](repeating: Self.noMatch, count: texts.count + free.count)
    for match in matches.rows { byRow[Int(match.row)] = Int32(truncatingIfNeeded: match.score) }
    return ownRows.isEmpty ? Array(byRow.prefix(count)) : ownRows.map { byRow[Int($0)] }
  }

  /// Returns the number of items that match, and the best of them, the best first; `nil` if it
  /// `isStopped`.
  ///
  /// - Complexity: That of ``scores(of:isStopped:)``, but most scores are not computed.
  mutating func best(
    _ count: Int, of query: Query, isStopped: () -> Bool
  ) -> (count: Int, items: [Int32])? {
    struct Stopped: Error {}
    func check() throws(Stopped) { if isStopped() { throw Stopped() } }
    let isInOrder = ownRows.isEmpty
    var items: [Int32] = []
    if !isInOrder {
      items = [Int32](repeating: -1, count: texts.count + free.count)
      for (item, row) in ownRows.enumerated() { items[Int(row)] = Int32(truncatingIfNeeded: item) }
    }
    let best: BestMatches
    do throws(Stopped) {
      best = try texts.best(count, of: query, checking: check) { first, second in
        isInOrder ? first < second : items[Int(first)] < items[Int(second)]
      }
    } catch { return nil }
    return (best.count, best.rows.map { isInOrder ? $0.row : items[Int($0.row)] })
  }

  /// Returns the items that match, by score, then by length, then by index; `nil` if it `isStopped`.
  func order(of query: Query, isStopped: () -> Bool) -> [Int32]? {
    var texts = self
    guard let scores = texts.scores(of: query, isStopped: isStopped) else { return nil }
    let items = (0..<Int32(truncatingIfNeeded: count)).filter {
      scores[Int($0)] != Self.noMatch
    }
    guard let lengths = lengths(of: items, matching: query, isStopped: isStopped) else {
      return nil
    }
    return ScoreSorting.sort(items, scores: scores, lengths: lengths, isStopped: isStopped)
  }

  /// Returns the lengths by which matching items are sorted among those with the same score; `nil` if
  /// it `isStopped`.
  func lengths(of items: [Int32], matching query: Query, isStopped: () -> Bool) -> [Int32]? {
    var lengths: [Int32] = []
    lengths.reserveCapacity(items.count)
    for start in stride(from: 0, to: items.count, by: Self.itemsBetweenChecks) {
      if isStopped() { return nil }
      let some = items[start..<min(items.count, start + Self.itemsBetweenChecks)]
      let rows = ownRows.isEmpty ? Array(some) : some.map { ownRows[Int($0)] }
      lengths += texts.lengths(of: rows, matching: query)
    }
    return lengths
  }

  /// The number of items whose lengths are found before `isStopped` is called again.
  private static let itemsBetweenChecks = 1024
}

/// Reads the texts of some members of items.
package struct MemberTexts {
  private var values: MemberValues
  private let indices: [Int]

  /// Creates a reader of the members with some names.
  package init(_ names: [[UInt8]]) {
    var members = MemberPaths()
    indices = names.map { members.index(of: $0) }
    values = MemberValues(members)
  }

  /// Replaces a row by the texts of an item: strings, and numbers as they are written. Other values are
  /// empty texts.
  package mutating func read(_ item: UnsafeRawBufferPointer, into text: inout RowText) {
    values.read(item)
    text.removeAll()
    for (member, index) in indices.enumerated() {
      if member > 0 { text.endMember() }
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
  package func hasText(_ member: Int) -> Bool {
    guard let value = values[indices[member]] else { return false }
    return value[0] == 0x22 || value[0] == 0x2D || value[0] &- 0x30 < 10
  }
}

extension RowText {
  fileprivate mutating func append(utf8 bytes: UnsafeRawBufferPointer) {
    append(utf8: bytes.bindMemory(to: UInt8.self).span)
  }
}
