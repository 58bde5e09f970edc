import JSONBytes
import ListDiff
import ListState
import ListText

/// Which rows of two texts are which.
enum ListedMatching {
  /// Both are of the same rows.
  case same
  case pairs(Matching)

  /// The matching of rows; nil if both are of the same ones.
  var rows: Matching? {
    if case .pairs(let matching) = self { matching } else { nil }
  }
}

/// A list's text before and after something changed.
struct TextChange {
  var old: RenderedText
  var new: RenderedText
  var pairs: RowPairs
  var baseRevision: Int
  var revision: Int
  var cursorLine: Int?

  /// The least differences as far as they were computed, without spans and with them.
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

  /// No change of a text.
  init(unchanged text: RenderedText, revision: Int, cursorLine: Int?) {
    self.init(
      old: text, new: text, pairs: RowPairs(), baseRevision: revision, revision: revision,
      cursorLine: cursorLine)
    plain = TextDifference()
    spanned = TextDifference()
  }

  /// The least edits from one text to the other; if it is `comparingSpans`, they bring all lines whose
  /// spans are different, too.
  func difference(comparingSpans: Bool) -> TextDifference {
    let hasSpans = comparingSpans && !(old.spans.isEmpty && new.spans.isEmpty)
    return (hasSpans ? spanned : plain)
      ?? old.difference(to: new, pairs, comparesSpans: hasSpans)
  }

  /// Computes a difference once for all who ask for it.
  mutating func findDifference(comparingSpans: Bool) {
    let difference = difference(comparingSpans: comparingSpans)
    if comparingSpans { spanned = difference }
    if !comparingSpans || old.spans.isEmpty && new.spans.isEmpty { plain = difference }
  }

  /// Whether the text is different from before; if it is `comparingSpans`, also whether spans are.
  func isChange(comparingSpans: Bool) -> Bool {
    baseRevision != revision || comparingSpans && !old.hasSameSpans(as: new)
  }
}

extension ListService {
  /// Keeps the text of a list from now on, and returns it as it is; that of a list that does not
  /// exist is empty.
  ///
  /// Lists whose text nobody has opened do not pay for it.
  ///
  /// - Throws: if the request is cancelled; then nothing has changed.
  @discardableResult
  mutating func openText(of name: [UInt8], spans: Bool = false) throws(Failure) -> TextChange {
    guard
      let text = book.update(
        store.listOrNew(name), store.ids, .same, needsSpans: spans, isStopped: isCancelled)
    else { throw .cancelled }
    return text
  }

  /// Makes a list's text the one of its present state, once after each change of its content, its
  /// selection or its cursor; `nil` if nobody has opened the text.
  ///
  /// `matching` is what the change has matched, `nil` if the content has not changed.
  mutating func updateText(of name: [UInt8], _ matching: Matching?) -> TextChange? {
    guard book.hasText(name), let list = try? store.list(name) else { return nil }
    return book.update(list, store.ids, matching.map { .pairs($0) } ?? .same)
  }

  /// The change of the text between two snapshots in which nothing is marked.
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

  /// Makes a list's text the one after a change; `nil` if nobody has opened the text.
  mutating func updateText(of change: ListChange) -> TextChange? {
    updateText(of: change.name, change.isRevision ? change.changes.matching : nil)
  }

  /// Makes the texts of all lists whose text is kept, or of one, those of the present templates.
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
