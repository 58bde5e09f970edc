import ByteBuffers
import FuzzyMatch
import JSONBytes
import ListDiff
import ListState
import ListText
import ListViews

/// Reports how items match a query, for `locate`.
struct MatchLocator {
  private var matcher: ItemMatcher
  private let unit: OffsetUnit

  init(_ match: ViewMatch, _ unit: OffsetUnit) {
    matcher = ItemMatcher(match)
    self.unit = unit
  }

  /// Appends how an item matches. `text` is the rendered lines of its rows, and the
  /// line of the list's text at which they begin.
  mutating func append(
    _ item: UnsafeRawBufferPointer, _ text: (lines: RenderedText, first: Int)?,
    to out: inout ByteBuffer
  ) {
    out.append(member: "match")
    guard let found = matcher.find(item) else { return out.append("null") }
    out.append("{")
    out.append(member: "score", found.score)
    out.append(member: "ranges")
    out.append("{")
    for (member, name) in matcher.match.members.enumerated() where !found.ranges[member].isEmpty {
      out.appendSeparator()
      name.withUnsafeBytes { out.append(string: $0) }
      out.append(0x3A)
      let ranges = matcher.text.convert(found.ranges[member], ofMember: member, to: unit)
      out.append(array: ranges.count) { $1.append(bounds: ranges[$0]) }
    }
    out.append("}")
    if let text {
      let spans = text.lines.spans(ofLines: 0..<text.lines.lineCount)
        .filter { $0.group == TextSpan.match }
      var offsets = LineOffsets(text.lines, unit)
      out.append(list: "spans", spans.count) { index, out in
        out.append(spans[index], &offsets, firstLine: text.first)
        out.append("}")
      }
    }
    out.append("}")
  }

  /// Returns the score of an item; `nil` if it does not match.
  mutating func score(of item: UnsafeRawBufferPointer) -> Int? { matcher.find(item)?.score }
}

extension ListService {
  /// Returns the match that a request has, or that of the view.
  func match(_ value: Value?, of list: NamedList) throws(Failure) -> ViewMatch? {
    guard let value else { return nil }
    guard value.boolean != nil else { return try ViewMatch(value) }
    guard value.boolean == true else { return nil }
    guard let match = (list.view?.rules as? ViewDefinition)?.match else {
      throw value.failure(expected: "a match, or true for a view that has one")
    }
    return match
  }
}

extension Locate {
  /// The items that match, in the direction of a search, which begins after an item and continues
  /// at the other end of the list.
  struct Search {
    var isBackward = false

    /// The maximum number of items that are reported.
    var count = 1
    var from: ItemReference?

    /// The item to begin after as it was written, for failures.
    var value: Value?

    init() {}

    init(
      _ params: borrowing Params, _ ids: borrowing IDTable, _ lines: LineReferences?
    ) throws(Failure) {
      isBackward = try params[.direction]?.requireWord("forward", "backward") == 1
      count = try params[.count]?.requireCount() ?? 1
      value = params[.from]
      from = try value.map { value throws(Failure) in try .read(value, ids, lines) }
    }

    /// Finds the items of a list that match.
    ///
    /// - Complexity: O(*b*), where *b* is the size of the items in bytes.
    /// - Throws: `anchorNotFound`, `cancelled`.
    func perform(
      _ match: ViewMatch, _ list: NamedList, _ service: inout ListService
    ) throws(ListFailure) -> Matches {
      let snapshot = list.shownItems
      let start = try from.map { from throws(ListFailure) in
        guard let item = try service.store.locate([from], of: list)[0] else {
          throw .anchorNotFound
        }
        return item
      }
      var locator = MatchLocator(match, service.context.offsetUnit)
      var found: [(item: Int, score: Int)] = []
      for item in 0..<snapshot.itemCount {
        if item & 0x3FF == 0x3FF, service.context.isCancelled { throw .cancelled }
        if let score = locator.score(of: snapshot.bytes(of: snapshot.payloads[item])) {
          found.append((item, score))
        }
      }
      if isBackward { found.reverse() }
      if let start {
        let first = found.firstIndex { isBackward ? $0.item < start : $0.item > start } ?? 0
        found = Array(found[first...] + found[..<first])
      }
      return Matches(first: Array(found.prefix(count)), total: found.count, rows: list.rows)
    }
  }

  /// The items that a search has found.
  struct Matches {
    /// The first items, as indices in the list, with their scores.
    var first: [(item: Int, score: Int)]
    var total: Int
    var rows: ListRows
  }
}
