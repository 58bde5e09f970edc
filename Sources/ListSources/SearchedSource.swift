import FuzzyMatch
import ListDiff
internal import SumTrees

/// The items of a source whose texts match what a user types, in each section the best match first.
///
/// ```swift
/// let found = source.searched(in: \.path)
/// found.query = "srcmain"
/// ```
///
/// Of matches with equal scores, that in the shortest text is first, and then that which is first in the
/// base. A query without terms matches all items, in the order of the base.
@MainActor
public final class SearchedSource<Section: ListSection>: DerivedSource<Section, Section>
where Section.Item: Identifiable & Equatable, Section.Item.ID: Sendable, Section.ID: Sendable {
  /// What the texts of the items must match, in the language of `Query` of `FuzzyMatch`.
  ///
  /// - Complexity: Setting it costs O(*t* + *m* log *n*) when the source is read next, where *t* is the
  ///   length of all texts, and *m* the number of items that match. If the query only became longer, *t* is
  ///   the length of the texts that matched.
  public var query: String {
    didSet { if query != oldValue { signal() } }
  }

  private let search: TextSearch<Section.Item>
  private var projection: Projection<Section, Section>

  init(
    _ base: SectionSource<Section>, _ query: String, _ text: @escaping (Section.Item) -> RowText
  ) {
    self.query = query
    let search = TextSearch(text)
    self.search = search
    projection = Projection(
      section: { search.matches($0.id) ? $1 : nil }, order: nil, sections: .all { $0 })
    super.init(of: base)
  }

  override func followBase() -> Bool {
    let parsed = Query(query)
    var isNew = search.query != parsed
    if let items = projection.changedItems(of: base.tree) {
      search.update(items, base.tree)
    } else {
      search.replaceTexts(of: base.tree)
      isNew = true
    }
    if isNew {
      search.find(parsed)
      projection.followed = nil
      projection.candidates = parsed.isEmpty ? nil : search.found
      projection.order = parsed.isEmpty ? nil : search.order
    }
    return projection.follow(base.tree, &tree)
  }

  /// Returns what the query matches in the text of an item, such as the ranges to highlight; `nil` if the
  /// source does not have the item.
  ///
  /// - Complexity: O(*l* *q*), where *l* is the length of the text and *q* that of the query.
  public func match(of item: ItemID) -> Match? {
    follow()
    return tree.contains(item) ? search.match(of: item) : nil
  }
}

extension SectionSource {
  /// Returns a source with the items of this one whose texts match a query, the best first.
  ///
  /// A change of *k* items of *n* costs O(*k* log *n*) and the search of their texts, with *k* calls of
  /// `text`.
  ///
  /// - Complexity: O(*t* + *n* log *n*) when it is read for the first time, where *t* is the length of all
  ///   texts.
  public func searched(
    _ query: String = "", in text: @escaping (Section.Item) -> String
  ) -> SearchedSource<Section> {
    SearchedSource(self, query) { RowText(text($0)) }
  }

  /// Returns a source with the items of this one that match a query, the best first: each term of the query
  /// matches one of the texts of an item.
  ///
  /// A change of *k* items of *n* costs O(*k* log *n*) and the search of their texts, with *k* calls of
  /// `texts`.
  ///
  /// - Complexity: O(*t* + *n* log *n*) when it is read for the first time, where *t* is the length of all
  ///   texts.
  public func searched(
    _ query: String = "", in texts: @escaping (Section.Item) -> [String]
  ) -> SearchedSource<Section> {
    SearchedSource(self, query) { RowText(members: texts($0)) }
  }
}
