import JSONBytes
import ListState
import ListText

/// The registered templates, and the open texts: those of the lists whose text a client has
/// requested.
struct TextBook {
  /// The templates of all lists.
  var shared = TemplateSet()

  /// The templates of single lists.
  var own: [[UInt8]: TemplateSet] = [:]

  private var pages: [[UInt8]: TextPage] = [:]

  /// The source of text revisions.
  var revisions = TextRevisions()

  /// What people were warned about already.
  var warned: Set<[[UInt8]]> = []

  /// Warnings that were not sent yet.
  var warnings: [String] = []

  /// Registers a template under a name, for all lists or for one.
  ///
  /// - Throws: `TemplateError` if its source cannot be read.
  mutating func register(
    _ source: [UInt8], as name: [UInt8], for list: [UInt8]? = nil
  ) throws(TemplateError) {
    guard let list else { return try shared.register(source, as: name) }
    try own[list, default: TemplateSet()].register(source, as: name)
  }

  func hasSameTemplates(as other: TextBook) -> Bool { shared == other.shared && own == other.own }

  /// The names of the lists whose text is open.
  var lists: [[UInt8]] { pages.keys.sorted { $0.lexicographicallyPrecedes($1) } }

  /// Reports whether a list's text is open.
  func hasText(_ list: [UInt8]) -> Bool { pages[list] != nil }

  /// Returns the text of a list and its source; `nil` if it is not open.
  func page(of list: [UInt8]) -> TextPage? { pages[list] }

  /// Returns the text of a list and its revision; empty and 0 if the text is not open.
  func text(of list: [UInt8]) -> (text: RenderedText, revision: Int) {
    pages[list].map { ($0.text, $0.textRevision) } ?? (RenderedText(), 0)
  }

  /// Closes the text of a list.
  mutating func close(_ list: [UInt8]) { pages[list] = nil }

  /// Updates a list's text to its snapshot, selection and cursor; `isForced` if templates have
  /// changed. If it `needsSpans`, the text has spans from now on.
  ///
  /// Returns the texts before and after, or `nil` if `isStopped`; then nothing has changed.
  /// `matching` pairs the rows of both.
  ///
  /// - Complexity: O(*b*), where *b* is the number of bytes of the text and the snapshot; O(1) if
  ///   nothing has changed.
  mutating func update(
    _ list: NamedList, _ ids: borrowing IDTable, _ matching: RowMatching,
    needsSpans: Bool = false, isForced: Bool = false, isStopped: () -> Bool = { false }
  ) -> TextChange? {
    let known = pages[list.name]
    let before = known ?? TextPage()
    var page = before
    page.hasSpans = before.hasSpans || needsSpans
    page.match = page.hasSpans ? ListMatch(list) : nil
    let isRenderedAnew = isForced || page.hasSpans != before.hasSpans || page.match != before.match
    let isSame =
      before.revision == list.revision && before.cursor == list.cursor
      && before.selected == list.selection.items && !isRenderedAnew
    let cursorLine = { (text: RenderedText) in
      list.cursor.map { text.lines(ofRow: $0).lowerBound }
    }
    if isSame {
      pages[list.name] = page
      return TextChange(
        unchanged: before.text, revision: before.textRevision, cursorLine: cursorLine(before.text))
    }
    page.revision = list.revision
    page.snapshot = list.snapshot
    page.selected = list.selection.items
    page.cursor = list.cursor
    guard
      let (text, same) = render(
        page, of: list.name, ids, after: isRenderedAnew ? nil : before, matching,
        isStopped: isStopped)
    else { return nil }
    page.text = text
    let pairs =
      known == nil ? RowPairs() : RowPairs(before.text, text, matching.rows, same: same)
    if before.textRevision == 0 || !before.text.hasSameBytes(as: text, pairs) {
      if known != nil { revisions.skipRestored() }
      // The text of a list that does not exist has the number 0.
      page.textRevision = list.revision == 0 ? 0 : revisions.next()
    }
    var change = TextChange(
      old: before.text, new: text, pairs: pairs, baseRevision: before.textRevision,
      revision: page.textRevision, cursorLine: cursorLine(text))
    if known != nil {
      change.findDifference(comparingSpans: page.hasSpans)
      page.steps.append(
        from: (before.textRevision, before.text), to: (page.textRevision, text), change.pairs,
        change.difference(comparingSpans: page.hasSpans).edits)
    }
    pages[list.name] = page
    return change
  }
}
