import ByteBuffers
import FuzzyMatch
import JSONBytes
import ListState
import ListViews

/// The query that the items of a list are matched against.
struct ListMatch: Equatable {
  let match: ViewMatch

  /// The source of the view's definition. Matches with equal sources are equal.
  private let source: [UInt8]

  /// The match of a view; `nil` if the list has none.
  init?(_ list: NamedList) {
    guard let rules = list.view?.rules as? ViewDefinition, let match = rules.match else {
      return nil
    }
    self.match = match
    source = rules.source
  }

  /// The match of a request.
  init(_ match: ViewMatch) {
    self.match = match
    source = []
  }

  static func == (a: ListMatch, b: ListMatch) -> Bool { a.source == b.source }
}

/// Finds the matches of a query in items.
struct ItemMatcher {
  let match: ViewMatch
  private var reader: MemberTexts
  private(set) var text = RowText()

  init(_ match: ViewMatch) {
    self.match = match
    reader = MemberTexts(match.members)
  }

  /// Returns how an item matches; `nil` if it does not.
  mutating func find(_ item: UnsafeRawBufferPointer) -> Match? {
    reader.read(item, into: &text)
    return match.query.match(in: text)
  }

  /// Returns the matched byte ranges of an item's texts by member, without members that have none.
  mutating func ranges(_ item: UnsafeRawBufferPointer) -> [(member: [UInt8], ranges: [Range<Int>])]
  {
    guard let found = find(item) else { return [] }
    return match.members.indices.compactMap { member in
      guard !found.ranges[member].isEmpty else { return nil }
      let ranges = text.convert(found.ranges[member], ofMember: member, to: .utf8)
      return (match.members[member], ranges)
    }
  }
}

/// Makes the contents of rows, with the matches of a query in them.
struct RowContents {
  private var matcher: ItemMatcher?

  /// The last item that was matched, because it may have several rows.
  private var last:
    (item: UnsafeRawBufferPointer, matches: [(member: [UInt8], ranges: [Range<Int>])])?

  init(_ match: ListMatch?) { matcher = match.map { ItemMatcher($0.match) } }

  mutating func content(of row: ListRows.Row) -> JSONContent {
    guard matcher != nil else { return JSONContent(row, matches: []) }
    if let last, Bytes.equal(last.item, row.item) {
      return JSONContent(row, matches: last.matches)
    }
    let matches = matcher!.ranges(row.item)
    last = (row.item, matches)
    return JSONContent(row, matches: matches)
  }
}
