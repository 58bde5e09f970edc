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

  /// Appends how an item matches, after a comma. `text` is the rendered lines of its rows, and the
  /// line of the list's text at which they begin.
  mutating func append(
    _ item: UnsafeRawBufferPointer, _ text: (lines: RenderedText, first: Int)?,
    to out: inout ByteBuffer
  ) {
    out.append(",\"match\":")
    guard let found = matcher.find(item) else { return out.append("null") }
    out.append("{\"score\":")
    out.append(decimal: found.score)
    out.append(",\"ranges\":{")
    var isFirst = true
    for (member, path) in matcher.match.paths.enumerated() where !found.ranges[member].isEmpty {
      if !isFirst { out.append(0x2C) }
      isFirst = false
      Array(path.joined(separator: [0x2E])).withUnsafeBytes { out.append(string: $0) }
      out.append(0x3A)
      let ranges = matcher.text.convert(found.ranges[member], ofMember: member, to: unit)
      out.append(0x5B)
      for (index, range) in ranges.enumerated() {
        out.append(index == 0 ? "[" : ",[")
        out.append(decimal: range.lowerBound)
        out.append(0x2C)
        out.append(decimal: range.upperBound)
        out.append(0x5D)
      }
      out.append(0x5D)
    }
    out.append("}")
    if let text {
      let spans = text.lines.spans(ofLines: 0..<text.lines.lineCount)
        .filter { $0.group == TextSpan.match }
      out.append(list: "spans", spans.count) { index, out in
        out.append(spans[index], of: text.lines, unit, firstLine: text.first)
        out.append("}")
      }
    }
    out.append("}")
  }

  /// Returns the score of an item; `nil` if it does not match.
  mutating func score(of item: UnsafeRawBufferPointer) -> Int? { matcher.find(item)?.score }
}

extension ListService {
  /// Returns the match that a request names, or that of the view.
  func match(_ value: Value?, of list: NamedList) throws(Failure) -> ViewMatch? {
    guard let value else { return nil }
    guard value.boolean != nil else { return try ViewMatch(value) }
    guard value.boolean == true else { return nil }
    guard let match = (list.view?.rules as? ViewDefinition)?.match else {
      throw value.failure(expected: "a match, or true for a view that has one")
    }
    return match
  }

  /// Appends the items that match, beginning after `from` in the given direction, and their total
  /// number.
  mutating func search(
    _ params: Params, _ list: NamedList, _ match: ViewMatch, to out: inout ByteBuffer
  ) throws(Failure) {
    let list = list.flattened
    let snapshot = list.snapshot
    let isBackward =
      try params[.direction]?.requireChoice(of: SearchDirection.self) ?? .forward == .backward
    let count = try params[.count]?.requireCount() ?? 1
    var from: Int?
    if let value = params[.from] {
      let reference = try ItemReference.read(value, store.ids, lines(of: list.name))
      do { from = try store.locate([reference], of: list)[0] } catch {
        throw failure(error, NamedValues(list: list.name))
      }
      guard from != nil else { throw .itemsNotFound([value]) }
    }
    var locator = MatchLocator(match, offsetUnit)
    var found: [(item: Int, score: Int)] = []
    for item in 0..<snapshot.itemCount {
      if item & 0x3FF == 0x3FF { try checkCancellation() }
      if let score = locator.score(of: snapshot.bytes(of: snapshot.payloads[item])) {
        found.append((item, score))
      }
    }
    if isBackward { found.reverse() }
    if let from {
      let start = found.firstIndex { isBackward ? $0.item < from : $0.item > from } ?? 0
      found = Array(found[start...] + found[..<start])
    }
    out.append(list: "matches", min(count, found.count)) { index, out in
      out.append("{\"at\":")
      out.append(snapshot.path(ofItem: found[index].item))
      out.append(",")
      out.append(idOf: snapshot.arrangement.rows[found[index].item], store.ids)
      out.append("\"score\":")
      out.append(decimal: found[index].score)
      let section = snapshot.section(ofItem: found[index].item)
      out.append(sectionID: snapshot.arrangement.sections[section], store.ids)
      out.append("}")
    }
    out.append(member: "total", found.count)
  }
}

private enum SearchDirection: String, CaseIterable {
  case forward
  case backward
}
