import JSONBytes
import ListDiff
import ListState
import ListText

/// How the rows of two texts correspond.
enum RowMatching {
  /// Both texts have the same rows.
  case same
  /// `same` are items that are known to be equal byte by byte.
  case pairs(Matching, same: [MatchedRun])

  /// The matching of rows; `nil` if both texts have the same rows.
  var rows: Matching? {
    if case .pairs(let matching, _) = self { matching } else { nil }
  }
}

/// The text of a list before and after a change.
struct TextChange {
  var old: RenderedText
  var new: RenderedText
  var pairs: RowPairs
  var baseRevision: Int
  var revision: Int
  var cursorLine: Int?

  /// The least differences, if they were computed, without and with spans.
  private var plain: TextDifference?
  private var spanned: TextDifference?

  init(
    old: RenderedText, new: RenderedText, pairs: RowPairs, baseRevision: Int, revision: Int,
    cursorLine: Int? = nil
  ) {
    self.old = old
    self.new = new
    self.pairs = pairs
    self.baseRevision = baseRevision
    self.revision = revision
    self.cursorLine = cursorLine
  }

  /// Creates a change that changes nothing.
  init(unchanged text: RenderedText, revision: Int, cursorLine: Int?) {
    self.init(
      old: text, new: text, pairs: RowPairs(), baseRevision: revision, revision: revision,
      cursorLine: cursorLine)
    plain = TextDifference()
    spanned = TextDifference()
  }

  /// Returns the least edits from the old text to the new one. If `comparingSpans`, lines whose
  /// spans differ are replaced, too.
  func difference(comparingSpans: Bool) -> TextDifference {
    let hasSpans = comparingSpans && !(old.spans.isEmpty && new.spans.isEmpty)
    return (hasSpans ? spanned : plain)
      ?? old.difference(to: new, pairs, comparesSpans: hasSpans)
  }

  /// Computes a difference once for all who need it.
  mutating func findDifference(comparingSpans: Bool) {
    let difference = difference(comparingSpans: comparingSpans)
    if comparingSpans { spanned = difference }
    if !comparingSpans || old.spans.isEmpty && new.spans.isEmpty { plain = difference }
  }

  /// Reports whether the text has changed; if `comparingSpans`, also whether its spans have.
  func isChange(comparingSpans: Bool) -> Bool {
    baseRevision != revision || comparingSpans && !old.hasSameSpans(as: new)
  }
}

extension ListService {
  /// Opens the text of a list and returns it. The text of a list that does not exist is empty.
  ///
  /// Lists whose text is not open cost nothing for it.
  ///
  /// - Throws: if the request is cancelled. Nothing has changed then.
  @discardableResult
  mutating func openText(of name: [UInt8], spans: Bool = false) throws(Failure) -> TextChange {
    guard
      let text = book.update(
        store.listOrNew(name), store.ids, .same, needsSpans: spans, isStopped: isCancelled)
    else { throw .cancelled }
    return text
  }

  /// Updates the text of a list, once after each change of its content, selection or cursor.
  /// Returns `nil` if the text is not open.
  ///
  /// `change` is the change of the content, `nil` if it has not changed.
  mutating func updateText(of name: [UInt8], _ change: SnapshotChange?) -> TextChange? {
    guard book.hasText(name), let list = try? store.list(name) else { return nil }
    return book.update(
      list, store.ids, change.map { .pairs($0.matching, same: $0.same) } ?? .same)
  }

  /// Returns the change of the text between two snapshots, without selection and cursor.
  mutating func textChange(
    _ change: SnapshotChange, from old: Snapshot, to new: Snapshot, of list: [UInt8]? = nil,
    spans: Bool = false
  ) -> TextChange {
    let before = book.render(old, of: list, store.ids, spans: spans)
    let after = book.render(new, of: list, store.ids, spans: spans)
    return TextChange(
      old: before, new: after, pairs: RowPairs(before, after, change.matching), baseRevision: 0,
      revision: 0)
  }

  /// Updates the text of a list after a change. Returns `nil` if the text is not open.
  mutating func updateText(of change: ListChange) -> TextChange? {
    updateText(of: change.name, change.isRevision ? change.changes : nil)
  }

  /// Updates all open texts, or that of one list, after templates have changed.
  mutating func updateTexts(of list: [UInt8]? = nil) -> [(list: [UInt8], change: TextChange)] {
    var changes: [(list: [UInt8], change: TextChange)] = []
    for name in list.map({ [$0] }) ?? book.lists where book.hasText(name) {
      guard let list = try? store.list(name) else { continue }
      guard let change = book.update(list, store.ids, .same, isForced: true) else { continue }
      if change.isChange(comparingSpans: true) { changes.append((name, change)) }
    }
    return changes
  }
}
