import ListDiff
internal import SumTrees

/// A list that consists of the sections of other sources, one after the other, and follows their changes.
///
/// The sources may have items and sections of different types, and may themselves be composed:
///
/// ```swift
/// let home = Composed {
///   contacts
///   found
///   banners
/// }
/// ```
///
/// Items and sections are ``AnyItem``s and ``AnySection``s. The same item may be in several of the sources.
///
/// Selection and cursor belong to the sources. ``SelectionAction/replace`` deselects the items of all sources.
@MainActor
public final class Composed: SectionSource<AnySection> {
  /// The sources of a composed list, in order.
  @resultBuilder
  @MainActor public enum Builder {
    /// Returns a source as a part of the list.
    public static func buildExpression<Section>(_ source: SectionSource<Section>) -> [Part]
    where Section.Item: Sendable { [Part { SourcePart(source, $0) }] }

    /// Returns the parts of several statements.
    public static func buildBlock(_ parts: [Part]...) -> [Part] { parts.flatMap { $0 } }

    /// Returns the parts of an `if` without `else`.
    public static func buildOptional(_ parts: [Part]?) -> [Part] { parts ?? [] }

    /// Returns the parts of an `if`.
    public static func buildEither(first parts: [Part]) -> [Part] { parts }

    /// Returns the parts of an `else`.
    public static func buildEither(second parts: [Part]) -> [Part] { parts }

    /// Returns the parts of a loop.
    public static func buildArray(_ parts: [[Part]]) -> [Part] { parts.flatMap { $0 } }
  }

  /// A source in a composed list.
  public struct Part {
    let make: @MainActor (Int) -> any ComposedPart
  }

  private let parts: [any ComposedPart]

  /// The marks of selections that were made in this list.
  private var marks = SelectionMarks<ItemID>()

  /// Creates a list of sources.
  public init(@Builder _ sources: () -> [Part]) {
    parts = sources().enumerated().map { $1.make($0) }
    super.init(SourceState())
  }

  // MARK: Following

  override func follow() {
    // All parts are asked, so that they remember how far they were followed.
    let patches = parts.map { $0.nextPatch() }
    var whole = ItemPatch<AnySection>()
    for patch in patches {
      guard let patch else {
        tree.replace(with: ItemTree(parts.flatMap { $0.list }, records: false))
        return state.setChanged()
      }
      whole.items += patch.items
      whole.placed += patch.placed
    }
    if patches.contains(where: { $0?.sections != nil }) {
      whole.sections = parts.flatMap { $0.sections }
    }
    if whole.isEmpty { return }
    tree.apply(whole)
    state.setChanged()
  }

  override var changeNumber: Int { parts.reduce(state.number) { $0 + $1.changeNumber } }

  override var isInBatch: Bool { parts.contains { $0.isInBatch } }

  override var bases: [any Observed] { parts.map { $0.base } }

  // MARK: Selection

  override var selectedItems: Set<ItemID> {
    parts.reduce(into: []) { $0.formUnion($1.selectedItems) }
  }

  override func hasSelected(_ item: ItemID) -> Bool {
    tree.contains(item) && parts[item.source].hasSelected(item)
  }

  override func changeSelection(_ items: [ItemID], _ action: SelectionAction) {
    guard let change = marks.change(by: items, action, in: tree) else { return }
    makeEdits {
      changeParts(change.deselected, .deselect)
      guard change.action == .replace else { return changeParts(change.items, change.action) }
      // An item may be in several sources, and there must be one in some sections.
      changeParts(change.items, .select)
      let kept = Set(change.items.map { $0.withoutSource })
      changeParts(selectedItems.filter { !kept.contains($0.withoutSource) }, .deselect)
    }
  }

  private func changeParts(_ items: some Sequence<ItemID>, _ action: SelectionAction) {
    for (source, items) in Dictionary(grouping: items, by: { $0.source }) {
      parts[source].changeSelection(items, action)
    }
  }

  override var cursorItem: ItemID? {
    for part in parts { if let item = part.cursorItem { return item } }
    return nil
  }

  override func setCursor(_ item: ItemID?) {
    makeEdits {
      for (source, part) in parts.enumerated() where source != item?.source { part.setCursor(nil) }
      if let item { parts[item.source].setCursor(item) }
    }
  }

  // MARK: Edits

  /// Makes edits of the sources, all of which are undone if one of them fails.
  ///
  /// Observers receive them as one change.
  ///
  /// - Throws: The error of `edits`. Nothing is changed then.
  /// - Complexity: That of the edits.
  public func batch<E: Error>(_ edits: () throws(E) -> Void) throws(E) { try makeEdits(edits) }

  override func makeEdits<E: Error>(_ edits: () throws(E) -> Void) throws(E) {
    try makeEdits(in: parts[...], edits)
  }

  private func makeEdits<E: Error>(
    in parts: ArraySlice<any ComposedPart>, _ edits: () throws(E) -> Void
  ) throws(E) {
    guard let part = parts.first else { return try edits() }
    try part.makeEdits { () throws(E) in try makeEdits(in: parts.dropFirst(), edits) }
  }

  package override func makeRecorders() -> [any EditRecorder] {
    // A source may be several of the parts.
    var seen: Set<ObjectIdentifier> = []
    return parts.flatMap { $0.makeRecorders() }.filter { seen.insert($0.source).inserted }
  }

  // MARK: Paths

  /// Returns the source of a path of the composed list, as an index, and the path in that source.
  ///
  /// Returns `nil` if the list does not have this section.
  ///
  /// - Complexity: O(*c* log *s*), where *c* is the number of sources.
  public func locate(_ path: ListPath) -> (source: Int, path: ListPath)? {
    var section = path.section
    for (index, part) in parts.enumerated() {
      if section < part.sectionCount {
        return (index, ListPath(section: section, row: path.row))
      }
      section -= part.sectionCount
    }
    return nil
  }

  /// Returns the path in the composed list of a path of a source.
  ///
  /// - Complexity: O(*c* log *s*), where *c* is the number of sources.
  public func path(_ path: ListPath, ofSource source: Int) -> ListPath {
    let before = parts.prefix(source).reduce(0) { $0 + $1.sectionCount }
    return ListPath(section: path.section + before, row: path.row)
  }
}
