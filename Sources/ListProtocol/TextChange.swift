import JSONBytes
import ListDiff
import ListState
import ListText

/// Which rows of two texts are which.
enum ListedMatching {
  /// Both are of the same rows.
  case same
  case pairs(Matching)
}

/// A list's text before and after something changed.
struct TextChange {
  var old: RenderedText
  var new: RenderedText
  var matching: ListedMatching

  /// Rows that are known to look the same in both.
  var same: [SameBlocks] = []
  var baseRevision: Int
  var revision: Int
  var cursorLine: Int?

  /// The least edits from one to the other.
  var edits: [LineEdit] {
    switch matching {
    case .same: old.edits(to: new, nil, same: same)
    case .pairs(let matching): old.edits(to: new, matching, same: same)
    }
  }
}

extension ListService {
  /// Keeps the text of a list from now on, and returns it as it is; that of a list that does not
  /// exist is empty.
  ///
  /// What follows of the list's text costs nothing for lists that nobody has opened the text of.
  ///
  /// - Throws: where the request is cancelled; then nothing has changed.
  @discardableResult
  mutating func openText(of name: [UInt8]) throws(Failure) -> TextChange {
    guard
      let text = book.update(
        store.listOrNew(name), store.ids, .same, isStopped: isCancelled)
    else { throw .cancelled }
    return text
  }

  /// Makes a list's text the one of its present state, once after each change of its content, its
  /// selection or its cursor; `nil` where nobody has opened the text.
  ///
  /// `matching` is what the change has matched, `nil` where the content has not changed.
  mutating func updateText(of name: [UInt8], _ matching: Matching?) -> TextChange? {
    guard book.hasText(name), let list = try? store.list(name) else { return nil }
    return book.update(list, store.ids, matching.map { .pairs($0) } ?? .same)
  }

  /// The change of the text between two snapshots in which nothing is marked.
  mutating func textChange(
    _ change: SnapshotChange, from old: Snapshot, to new: Snapshot
  ) -> TextChange {
    TextChange(
      old: book.render(old, store.ids), new: book.render(new, store.ids),
      matching: .pairs(change.matching), baseRevision: 0, revision: 0)
  }

  /// Makes a list's text the one after a change; `nil` where nobody has opened the text.
  mutating func updateText(of change: ListChange) -> TextChange? {
    updateText(of: change.name, change.isRevision ? change.changes.matching : nil)
  }

  /// Makes the texts of all lists whose text is kept those of the present templates.
  mutating func updateTexts() -> [(list: [UInt8], change: TextChange)] {
    var changes: [(list: [UInt8], change: TextChange)] = []
    for name in book.lists {
      guard let list = try? store.list(name) else { continue }
      guard let change = book.update(list, store.ids, .same, isForced: true) else { continue }
      if change.baseRevision != change.revision { changes.append((name, change)) }
    }
    return changes
  }
}

extension ByteBuffer {
  /// Appends edits as an array of LSP text edits.
  mutating func append(_ edits: [LineEdit], of new: RenderedText) {
    append(0x5B)
    for (place, edit) in edits.enumerated() {
      append(
        place == 0 ? "{\"range\":{\"start\":{\"line\":" : ",{\"range\":{\"start\":{\"line\":")
      append(decimal: edit.old.lowerBound)
      append(",\"character\":0},\"end\":{\"line\":")
      append(decimal: edit.old.upperBound)
      append(",\"character\":0}},\"newText\":")
      new.bytes(ofLines: edit.new).withUnsafeBytes { append(string: $0) }
      append(0x7D)
    }
    append(0x5D)
  }

  /// Appends which text edits are for and lead to, and the line of the cursor, with commas before.
  mutating func append(revisionsOf text: TextChange) {
    append(member: "baseTextRevision", text.baseRevision)
    append(member: "textRevision", text.revision)
    append(cursorLine: text.cursorLine)
  }

  /// Appends the line of the cursor, with a comma before it.
  mutating func append(cursorLine line: Int?) {
    append(",\"cursorLine\":")
    if let line { append(decimal: line) } else { append("null") }
  }
}
