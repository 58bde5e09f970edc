import JSONBytes
import ListDiff
import ListState
import ListText

/// The registered templates, and the open texts: those of the lists whose text a client has
/// requested.
struct TextBook {
  var templates = Templates()

  private var pages: [[UInt8]: TextPage] = [:]

  /// The pages that the current request has changed, each time as it was before; `nil` for the lists whose
  /// text was not open.
  private var changedPages: [(list: [UInt8], before: TextPage?)] = []

  /// The source of text revisions.
  var revisions = TextRevisions()

  /// What people were warned about already.
  var warned: Set<[[UInt8]]> = []

  /// Warnings that were not sent yet.
  var warnings: [String] = []

  /// These three before the current request.
  private var before: (TextRevisions, Set<[[UInt8]]>, [String]) = (TextRevisions(), [], [])

  /// The names of the lists whose text is open.
  var lists: [[UInt8]] { Array(pages.keys) }

  /// Reports whether a list's text is open.
  func hasText(_ list: [UInt8]) -> Bool { pages[list] != nil }

  /// Returns the text of a list and its source; `nil` if it is not open.
  func page(of list: [UInt8]) -> TextPage? { pages[list] }

  /// Returns the open text of a list as a change that changes nothing; `nil` if the text is not
  /// open, or does not have the spans that are needed.
  func unchangedText(of list: [UInt8], needsSpans: Bool) -> TextChange? {
    guard let page = pages[list], page.hasSpans || !needsSpans else { return nil }
    return TextChange(
      unchanged: page.text, revision: page.textRevision, cursorLine: page.cursorLine)
  }

  /// Returns the text of a list and its revision; empty and 0 if the text is not open.
  func text(of list: [UInt8]) -> (text: RenderedText, revision: Int) {
    pages[list].map { ($0.text, $0.textRevision) } ?? (RenderedText(), 0)
  }

  /// Closes the text of a list.
  mutating func close(_ list: [UInt8]) { set(nil, of: list) }

  private mutating func set(_ page: TextPage?, of list: [UInt8]) {
    let before =
      page.map { pages.updateValue($0, forKey: list) } ?? pages.removeValue(forKey: list)
    changedPages.append((list, before))
  }

  /// Begins a request.
  mutating func begin() {
    commit()
    templates.begin()
    before = (revisions, warned, warnings)
  }

  /// Forgets what the request has changed.
  mutating func commit() { changedPages.removeAll(keepingCapacity: true) }

  /// Restores the book as it was when the request began. Returns the lists whose texts were restored.
  @discardableResult
  mutating func undo() -> [[UInt8]] {
    let lists = Array(Set(changedPages.map { $0.list }))
    for (list, page) in changedPages.reversed() { pages[list] = page }
    changedPages = []
    templates.undo()
    (revisions, warned, warnings) = before
    return lists
  }

  /// Updates a list's text after a change of its content, selection or cursor; `isForced` if
  /// templates have changed. If it `needsSpans`, the text has spans from now on. If the cursor was
  /// set, `rowLine` is its line in its row; else this is kept as long as the row has the cursor.
  ///
  /// Returns the texts before and after, or `nil` if `isStopped`; then nothing has changed.
  ///
  /// - Complexity: O(*k* log *n*) after edits and changes of marks, where *k* is the number of
  ///   changed items and of ranges of selected rows and *n* the number of rows; O(*b*) after other
  ///   changes, where *b* is the number of bytes of the text and the snapshot.
  mutating func update(
    _ list: NamedList, _ ids: borrowing IDTable, _ change: ShownChange, rowLine: Int? = nil,
    needsSpans: Bool = false, isForced: Bool = false, isStopped: () -> Bool = { false }
  ) -> TextChange? {
    let known = pages[list.name]
    let before = known ?? TextPage()
    var page = before
    page.hasSpans = before.hasSpans || needsSpans
    page.match = page.hasSpans ? ListMatch(list) : nil
    page.revision = list.revision
    page.cursor = list.cursor
    page.selection = change.selection(of: list)
    var pairs =
      known == nil ? RowPairs() : pairs(of: before, list, change, selecting: page.selection)
    if isForced || page.hasSpans != before.hasSpans || page.match != before.match {
      pairs.setAllMayDiffer()
    }
    let cursors = cursorBlocks(of: before, list, pairs)
    if cursors.old != cursors.new {
      for case let block? in [cursors.old, cursors.new] { pairs.setMayDiffer(block) }
    }
    let keepsCursor = cursors.new != nil && cursors.old == cursors.new
    page.rowLine = list.cursor == nil ? 0 : rowLine ?? (keepsCursor ? before.rowLine : 0)
    guard
      let text = rendered(
        list.rows, page, of: list, copying: before.text, pairs, ids, isStopped: isStopped)
    else { return nil }
    page.text = text
    #if DEBUG
      check(page, list, ids)
    #endif
    let isSame =
      before.textRevision == 0 ? nil : before.text.hasSameBytes(as: page.text, pairs)
    if isSame != true {
      if known != nil { revisions.skipRestored() }
      // The text of a list that does not exist has the number 0.
      page.textRevision = list.revision == 0 ? 0 : revisions.next()
    }
    var result = TextChange(
      old: before.text, new: page.text, pairs: pairs, baseRevision: before.textRevision,
      revision: page.textRevision, cursorLine: page.cursorLine,
      movesCursor: before.cursorLine != page.cursorLine)
    if known != nil {
      result.findDifference(comparingSpans: page.hasSpans, hasSameBytes: isSame)
      page.steps.append(
        from: (before.textRevision, before.text), to: (page.textRevision, page.text), pairs,
        result.difference(comparingSpans: page.hasSpans).edits, revision: before.revision)
    }
    set(page, of: list.name)
    return result
  }

  /// Returns the text of a list; `nil` if `isStopped`.
  mutating func rendered(
    _ source: ListRows, _ page: TextPage, of list: NamedList, copying old: RenderedText,
    _ pairs: RowPairs, _ ids: borrowing IDTable, isStopped: () -> Bool
  ) -> RenderedText? {
    var renderer = TextRenderer(
      source, list.name, list.cursor, page.match, copying: old, keepsSpans: page.hasSpans)
    guard render(&renderer, pairs, ids, isStopped: isStopped) else { return nil }
    return renderer.builder.finish()
  }

  /// Returns the pairs of the text of a page and of a list after a change. Without pairs, the whole
  /// text is rendered again.
  private func pairs(
    of before: TextPage, _ list: NamedList, _ change: ShownChange,
    selecting selection: [(at: Path, count: Int)]
  ) -> RowPairs {
    var pairs = RowPairs()
    if before.revision == list.revision {
      pairs = before.pairs(selecting: selection)
    } else if case .made(let change) = change, let runs = change.runs,
      (change.baseRevision, change.revision) == (before.revision, list.revision)
    {
      pairs = RowPairs(before.text, runs)
    }
    return pairs
  }

  /// Returns the new block of the row that had the cursor, and the block of the row that has it.
  private func cursorBlocks(
    of before: TextPage, _ list: NamedList, _ pairs: RowPairs
  ) -> (old: Int?, new: Int?) {
    let old = before.cursor.map(before.text.block(ofRow:)).flatMap(pairs.newBlock(ofOld:))
    let new = list.cursor.map { $0 + 2 * list.rows.path(ofRow: $0).section + 1 }
    return (old, new)
  }
}
