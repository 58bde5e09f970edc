import ByteBuffers
import FuzzyMatch
import JSONBytes
import Testing

@testable import ListState
@testable import ListViews

/// Views of random items with a query and an order, beside all items matched one by one and sorted.
@Suite struct RankedOrderTests {
  private struct Item {
    var texts: [String: String] = [:]
    var number: Int?

    var json: String {
      var members = texts.map { "\"\($0)\":\"\($1)\"" }
      if let number { members.append("\"n\":\(number)") }
      return "{" + members.joined(separator: ",") + "}"
    }
  }

  private static let names = ["text", "more", "none"]

  private static func items(_ count: Int, _ random: inout SmallGenerator) -> [Item] {
    func text() -> String {
      String(
        (0..<Int.random(in: 0...12, using: &random)).map { _ in
          "ab /m".randomElement(using: &random)!
        })
    }
    return (0..<count).map { _ in
      var item = Item()
      if Int.random(in: 0..<8, using: &random) > 0 { item.texts["text"] = text() }
      if Int.random(in: 0..<2, using: &random) > 0 { item.texts["more"] = text() }
      if Int.random(in: 0..<6, using: &random) > 0 {
        item.number = Int.random(in: 0..<9, using: &random)
      }
      return item
    }
  }

  private static func snapshot(_ items: [Item]) -> Snapshot {
    let texts = items.map { Array($0.json.utf8) }
    let section = Array("{}".utf8)
    var builder = SnapshotBuilder(buffers: [SharedBytes(copying: section + texts.joined())])
    builder.beginSection(0, SectionTraits(own: Payload(start: 0, length: 2, buffer: 0)))
    var start = 2
    for (key, text) in texts.enumerated() {
      let payload = Payload(start: start, length: text.count, buffer: 0)
      builder.addItem(UInt32(key + 1), payload, [], template: 0)
      start += text.count
    }
    var indices = LastKeyIndices()
    builder.finish(using: &indices)
    return builder.snapshot
  }

  /// Keys by which items are sorted, in a form that can be printed.
  private static func sort(_ random: inout SmallGenerator) -> [SortKey]? {
    guard Int.random(in: 0..<4, using: &random) > 0 else { return nil }
    return (0..<Int.random(in: 0...3, using: &random)).map { place in
      let subjects = [SortKey.Subject.score, .score, .length, .member(0), .member(0), .source]
      let subject =
        place == 0 && Bool.random(using: &random) ? .score : subjects.randomElement(using: &random)!
      var key = SortKey(subject)
      key.isDescending = (subject == .score) != (Int.random(in: 0..<6, using: &random) == 0)
      return key
    }
  }

  /// The items that match, in order.
  private static func expected(
    _ items: [Item], _ query: Query, _ members: [String], _ keys: [SortKey]
  ) -> [Int32] {
    let texts = items.map { item in RowText(members: members.map { item.texts[$0] ?? "" }) }
    var found: [(item: Int, key: [Int])] = []
    for (item, text) in texts.enumerated() {
      guard let match = query.match(in: text) else { continue }
      let lengths = zip(match.ranges, members).map {
        $0.isEmpty ? 0 : (items[item].texts[$1] ?? "").count
      }
      let key = keys.map { key in
        let value =
          switch key.subject {
          case .score: match.score
          case .length: lengths.reduce(0, +)
          case .member: items[item].number ?? -1
          case .source: 0
          }
        return key.isDescending ? -value : value
      }
      found.append((item, key + [item]))
    }
    return found.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { Int32($0.item) }
  }

  @Test(arguments: 0..<24) func viewsAreSortedAsTheirItemsAre(seed: UInt64) throws {
    var random = SmallGenerator()
    for _ in 0..<seed { _ = random.next() }
    let items = Self.items([1, 7, 60, 400][Int(seed % 4)], &random)
    let source = ViewItems(Self.snapshot(items), sourceStarts: [0])
    var memory: (any ViewMemory)?
    var typed = ""
    var keys: [SortKey]?
    for step in 0..<40 {
      if step % 8 == 0 { keys = Self.sort(&random) }
      typed =
        Int.random(in: 0..<4, using: &random) == 0
        ? "" : typed + String("ab m!".randomElement(using: &random)!)
      let members = Array(Self.names.prefix(step / 8 % 3 + 1))
      var definition = ViewDefinition(source: [])
      _ = definition.members.index(of: Array("n".utf8))
      let query = Query(typed)
      definition.match = ViewMatch(query, in: members.map { Array($0.utf8) })
      definition.sortsByScore = keys == nil
      definition.sort = keys ?? []
      definition.sections = Bool.random(using: &random) ? .keep : .merge
      let count = [0, 1, 5, 50].randomElement(using: &random)!
      definition.window =
        Int.random(in: 0..<5, using: &random) == 0 ? nil : ViewWindow(start: 0, count: count)
      let found = definition.arrange(source, &memory, before: nil) { false }
      let arrangement = try #require(found)
      var score = SortKey(.score)
      score.isDescending = true
      let expected = Self.expected(items, query, members, keys ?? [score, SortKey(.length)])
      #expect(arrangement.count == expected.count)
      let first = min(count, expected.count)
      #expect(Array(arrangement.items(in: 0..<first)) == Array(expected.prefix(first)), "\(typed)")
      #expect(arrangement.order == expected, "\(typed) \(members) \(String(describing: keys))")
    }
  }
}
