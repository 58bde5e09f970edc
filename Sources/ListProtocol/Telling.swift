import FuzzyMatch
import JSONBytes
import ListDiff
import ListState

/// How a request wants its change to be told.
struct Telling {
  var format = Format.stages
  var content = false
  var maxOps = Int.max

  /// What is sent beside edits of a text.
  var text = TextOptions()

  /// Whether what the client has is kept. If not, `reload` is sent, without counts.
  var isKept = true

  /// The members `format`, `content` and `maxOps`; without a format the change is told only if
  /// `isTold`.
  init(_ params: Params, _ unit: OffsetUnit, isTold: Bool = true) throws(Failure) {
    if !isTold { format = .none }
    if let value = params["format"] { format = try value.requireChoice(of: Format.self) }
    if let value = params["content"] { content = try value.requireBoolean() }
    if let value = params["maxOps"] { maxOps = try value.requireCount() }
    text = try TextOptions(params, unit)
  }

  /// As a subscriber wants it.
  init(_ form: Subscription.Form) {
    format = form.format
    content = form.content
    maxOps = form.maxOps
    text = form.text
  }
}

extension ListService {
  /// Appends a change, without the closing brace, of a list whose text, if it is kept, has been made
  /// the new one.
  mutating func append(
    _ change: ListChange, _ telling: Telling, _ text: TextChange?, to out: inout ByteBuffer
  ) {
    out.append(openingFor: change.name)
    out.append(member: "baseRevision", change.baseRevision)
    out.append(member: "revision", change.revision)
    append(change.changes, from: change.old, to: change.new, telling, text, to: &out)
    if telling.format == .textEdits, let text {
      out.append(revisionsOf: text)
      if telling.text.selectedLines {
        out.append(selectedLinesOf: book.page(of: change.name))
      }
    }
    let list = store.listOrNew(change.name)
    out.append(selection: list.selection.items, cursor: list.cursor, in: list.snapshot)
    out.append(",\"deselected\":[")
    for (place, item) in change.deselected.enumerated() {
      out.append(place == 0 ? "{" : ",{")
      out.append(idOf: change.old.arrangement.rows[item.item], store.ids)
      out.append("\"at\":")
      out.append(change.old.path(ofItem: item.item))
      out.append(item.gone ? ",\"gone\":true}" : ",\"gone\":false}")
    }
    out.append("]")
    out.append(numbersOf: list.view?.numbers)
  }

  /// Appends the members that tell a change, with commas before them.
  ///
  /// `text` is needed for edits of a text only. If edits made the change, they are `edits`, and the
  /// snapshots are empty.
  mutating func append(
    _ change: SnapshotChange, from old: Snapshot, to new: Snapshot, edits: EditChange? = nil,
    _ telling: Telling, _ text: TextChange?, to out: inout ByteBuffer
  ) {
    out.append(",\"format\":\"")
    out.append(contentsOf: telling.format.rawValue.utf8)
    out.append("\"")
    if telling.format == .none { return }
    guard telling.isKept else { return out.append(",\"reload\":true") }
    let start = out.count
    out.append(",\"")
    out.append(contentsOf: telling.format.rawValue.utf8)
    out.append("\":")
    if !append(entriesOf: change, from: old, to: new, edits: edits, telling, text, to: &out) {
      out.truncate(to: start)
      out.append(",\"reload\":true")
    }
    out.append(",\"counts\":{")
    out.append("rows", change.movement.rowCounts)
    out.append(",")
    out.append("sections", change.movement.sectionCounts)
    out.append("}")
  }

  /// Appends the array that a format has; false, and nothing is appended, where it has more entries
  /// than are wanted.
  mutating func append(
    entriesOf change: SnapshotChange, from old: Snapshot, to new: Snapshot,
    edits: EditChange? = nil, _ telling: Telling, _ text: TextChange?, to out: inout ByteBuffer
  ) -> Bool {
    let contents: any ContentWriter =
      if let edits { ListRowsWriter(rows: edits.new, singleLine: singleLine) } else {
        SnapshotWriter(snapshot: new, singleLine: singleLine)
      }
    switch telling.format {
    case .none: break
    case .stages:
      guard change.stages.opCount <= telling.maxOps else { return false }
      StagesWriter(change.stages, contents: telling.content ? contents : nil).append(to: &out)
    case .ops:
      if telling.maxOps < Int.max, OpSequence(change.stages).ops.count > telling.maxOps {
        return false
      }
      StagesWriter(change.stages, contents: contents).appendSequence(to: &out)
    case .jsonPatch:
      let patch =
        if let edits { patch(edits) } else { patch(change, from: old, to: new) }
      guard patch.count <= telling.maxOps else { return false }
      patch.append(to: &out)
    case .textEdits:
      guard let text else { return false }
      let difference = text.difference(comparingSpans: telling.text.spans)
      guard difference.edits.count <= telling.maxOps else { return false }
      out.append(difference.edits, of: text.new)
      append(difference, of: text.new, telling.text, to: &out)
    }
    return true
  }
}

extension [Stage] {
  /// The number of operations of all stages.
  fileprivate var opCount: Int { reduce(0) { $0 + $1.ops.count } }
}
