import JSONBytes
import ListDiff
import ListState
import ListText

/// A change of a list whose text is open.
enum ShownChange {
  /// At most the selection, the cursor or the spans have changed, as far as is known. If the
  /// selected rows are known, they are `selection`.
  case marks(selection: [(at: Path, count: Int)]? = nil)
  case made(ListChange)

  /// Returns the selected rows of a list after the change.
  func selection(of list: NamedList) -> [(at: Path, count: Int)] {
    switch self {
    case .made(let change) where change.revision == list.revision: change.selection
    case .marks(let selection?): selection
    default: list.selectedRows
    }
  }
}

/// The text of a list before and after a change.
///
/// Copies share the texts. Most lists have no text, and a change without one is small.
struct TextChange {
  private struct Contents {
    let old: RenderedText
    let new: RenderedText
    let pairs: RowPairs
    let cursorLine: Int?
    let movesCursor: Bool

    /// The least differences, if they were computed, without and with spans.
    var plain: TextDifference?
    var spanned: TextDifference?
  }

  private final class SharedContents {
    let contents: Contents

    init(_ contents: Contents) { self.contents = contents }
  }

  private var shared: SharedContents
  let baseRevision: Int
  let revision: Int

  init(
    old: RenderedText, new: RenderedText, pairs: RowPairs, baseRevision: Int, revision: Int,
    cursorLine: Int? = nil, movesCursor: Bool = false, difference: TextDifference? = nil
  ) {
    shared = SharedContents(
      Contents(
        old: old, new: new, pairs: pairs, cursorLine: cursorLine, movesCursor: movesCursor,
        plain: difference, spanned: difference))
    self.baseRevision = baseRevision
    self.revision = revision
  }

  /// Creates a change that changes nothing.
  init(unchanged text: RenderedText, revision: Int, cursorLine: Int?) {
    self.init(
      old: text, new: text, pairs: RowPairs(), baseRevision: revision, revision: revision,
      cursorLine: cursorLine, difference: TextDifference())
  }

  var old: RenderedText { shared.contents.old }
  var new: RenderedText { shared.contents.new }
  var pairs: RowPairs { shared.contents.pairs }
  var cursorLine: Int? { shared.contents.cursorLine }

  /// Whether the number of the cursor's line has changed.
  var movesCursor: Bool { shared.contents.movesCursor }

  /// Returns the least edits from the old text to the new one. If `comparingSpans`, lines whose
  /// spans differ are replaced, too.
  func difference(comparingSpans: Bool, hasSameBytes: Bool? = nil) -> TextDifference {
    let hasSpans = comparingSpans && (old.hasSpans || new.hasSpans)
    return (hasSpans ? shared.contents.spanned : shared.contents.plain)
      ?? old.difference(to: new, pairs, comparesSpans: hasSpans, hasSameBytes: hasSameBytes)
  }

  /// Computes a difference once for all who need it. `hasSameBytes` reports whether the texts have the
  /// same bytes, if that is known.
  mutating func findDifference(comparingSpans: Bool, hasSameBytes: Bool? = nil) {
    let difference = difference(comparingSpans: comparingSpans, hasSameBytes: hasSameBytes)
    var contents = shared.contents
    if !comparingSpans || !old.hasSpans && !new.hasSpans { contents.plain = difference }
    if comparingSpans { contents.spanned = difference }
    shared = SharedContents(contents)
  }

  /// Reports whether the text has changed; if `comparingSpans`, also whether its spans have.
  func isChange(comparingSpans: Bool) -> Bool {
    baseRevision != revision
      || comparingSpans && !difference(comparingSpans: true).edits.isEmpty
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
    if let text = book.unchangedText(of: name, needsSpans: spans) { return text }
    store.shownLists.insert(name)
    guard
      let text = book.update(
        store.peek(name) ?? NamedList(name: name), store.ids, .marks(), needsSpans: spans,
        isStopped: store.isCancelled)
    else { throw .cancelled }
    return text
  }

  /// Opens the text of a list if a change of it is to be encoded as edits of its text.
  ///
  /// - Throws: if the request is cancelled. Nothing has changed then.
  mutating func openText(of name: [UInt8], for encoding: ChangeEncoding) throws(Failure) {
    if encoding.format == .textEdits { try openText(of: name, spans: encoding.text.spans) }
  }

  /// Updates the text of a list, once after each change of its content, selection or cursor. If the
  /// request has set the cursor, it has set the `rowLine`. Returns `nil` if the text is not open.
  mutating func updateText(
    of name: [UInt8], _ change: @autoclosure () -> ShownChange, rowLine: Int? = nil
  ) -> TextChange? {
    guard book.hasText(name), let list = store.peek(name) else { return nil }
    return book.update(list, store.ids, change(), rowLine: rowLine)
  }

  /// Updates the text of a list after a change of only its selection or cursor.
  mutating func updateText(of change: SelectionChange, rowLine: Int? = nil) -> TextChange? {
    updateText(of: change.name, .marks(selection: change.selection), rowLine: rowLine)
  }

  /// Returns the change of the text between two snapshots, without selection and cursor.
  mutating func textChange(
    _ change: ListChange, from old: Snapshot, to new: Snapshot, of list: [UInt8]? = nil,
    spans: Bool = false
  ) -> TextChange {
    let before = book.render(old, of: list, store.ids, spans: spans)
    let after = book.render(new, of: list, store.ids, spans: spans)
    var pairs = change.runs.map { RowPairs(before, $0) } ?? RowPairs()
    pairs.setAllMayDiffer()
    return TextChange(
      old: before, new: after, pairs: pairs, baseRevision: 0, revision: 0)
  }

  /// Updates all open texts, or that of one list, after templates have changed.
  mutating func updateTexts(of list: [UInt8]? = nil) -> [(list: [UInt8], change: TextChange)] {
    var changes: [(list: [UInt8], change: TextChange)] = []
    for name in list.map({ [$0] }) ?? store.inOrderOfCreation(book.lists) where book.hasText(name) {
      guard let list = store.peek(name),
        let change = book.update(list, store.ids, .marks(), isForced: true)
      else { continue }
      if change.isChange(comparingSpans: true) { changes.append((name, change)) }
    }
    return changes
  }
}
