import ByteBuffers
import FuzzyMatch
import ListDiff
import ListState

/// How a change is encoded for a client.
struct ChangeEncoding {
  var format = Format.stages
  var content = false
  var maxOps = Int.max

  /// The extra members beside edits of a text.
  var text = TextOptions()

  /// Whether the base that the client has is known. If not, `reload` is sent, without counts.
  var isBaseKnown = true

  /// Reads the members `format`, `content` and `maxOps`. The default format is `none` unless
  /// `isWanted`.
  init(_ params: Params, _ unit: OffsetUnit, isWanted: Bool = true) throws(Failure) {
    if !isWanted { format = .none }
    if let value = params[.format] { format = try value.requireChoice(of: Format.self) }
    if let value = params[.content] { content = try value.requireBoolean() }
    if let value = params[.maxOps] { maxOps = try value.requireCount() }
    text = try TextOptions(params, unit)
  }

  /// Creates the encoding that a subscriber has chosen.
  init(_ form: Subscription.Form) {
    format = form.format
    content = form.content
    maxOps = form.maxOps
    text = form.text
  }
}

extension ListService {
  /// Appends a change of a list, without the closing brace. If the text of the list is kept, it has
  /// been updated.
  mutating func append(
    _ change: ListChange, _ encoding: ChangeEncoding, _ text: TextChange?, to out: inout ByteBuffer
  ) {
    out.append(openingFor: change.name)
    out.append(member: "baseRevision", change.baseRevision)
    out.append(member: "revision", change.revision)
    append(change.changes, from: change.old, to: change.new, encoding, text, to: &out)
    append(text, of: change.name, encoding, to: &out)
    let list = store.listOrNew(change.name)
    out.append(selection: list.selection.items, cursor: list.cursor, in: list.snapshot)
    out.append(",\"deselected\":[")
    for (index, item) in change.deselected.enumerated() {
      out.append(index == 0 ? "{" : ",{")
      out.append(idOf: change.old.arrangement.rows[item.item], store.ids)
      out.append("\"at\":")
      out.append(change.old.path(ofItem: item.item))
      out.append(item.isDeleted ? ",\"gone\":true}" : ",\"gone\":false}")
    }
    out.append("]")
    out.append(numbersOf: list.view?.numbers)
  }

  /// Appends the revisions, the cursor and the selected lines of a text, each after a comma, if the
  /// client follows the text.
  func append(
    _ text: TextChange?, of list: [UInt8], _ encoding: ChangeEncoding, to out: inout ByteBuffer
  ) {
    guard encoding.format == .textEdits, let text else { return }
    out.append(revisionsOf: text)
    if encoding.text.selectedLines { out.append(selectedLinesOf: book.page(of: list)) }
  }

  /// Appends the members of a change, each after a comma.
  ///
  /// `text` is needed for the format `textEdits` only. If the change was made by edits, they are
  /// `edits`, and the snapshots are empty.
  mutating func append(
    _ change: SnapshotChange, from old: Snapshot, to new: Snapshot, edits: EditChange? = nil,
    _ encoding: ChangeEncoding, _ text: TextChange?, to out: inout ByteBuffer
  ) {
    out.append(",\"format\":\"")
    out.append(contentsOf: encoding.format.rawValue.utf8)
    out.append("\"")
    if encoding.format == .none { return }
    guard encoding.isBaseKnown else { return out.append(",\"reload\":true") }
    let start = out.count
    out.append(",\"")
    out.append(contentsOf: encoding.format.rawValue.utf8)
    out.append("\":")
    if !append(entriesOf: change, from: old, to: new, edits: edits, encoding, text, to: &out) {
      out.truncate(to: start)
      out.append(",\"reload\":true")
    }
    out.append(",\"counts\":{")
    out.append("rows", change.movement.rowCounts)
    out.append(",")
    out.append("sections", change.movement.sectionCounts)
    out.append("}")
  }

  /// Appends the array of a format. Returns false and appends nothing if it has more entries than
  /// the client wants.
  mutating func append(
    entriesOf change: SnapshotChange, from old: Snapshot, to new: Snapshot,
    edits: EditChange? = nil, _ encoding: ChangeEncoding, _ text: TextChange?,
    to out: inout ByteBuffer
  ) -> Bool {
    let contents: any ContentWriter =
      if let edits { ListRowsWriter(rows: edits.new, singleLine: singleLine) } else {
        SnapshotWriter(snapshot: new, singleLine: singleLine)
      }
    switch encoding.format {
    case .none: break
    case .stages:
      guard change.stages.opCount <= encoding.maxOps else { return false }
      StagesWriter(change.stages, contents: encoding.content ? contents : nil).append(to: &out)
    case .ops:
      if encoding.maxOps < Int.max, OpSequence(change.stages).ops.count > encoding.maxOps {
        return false
      }
      StagesWriter(change.stages, contents: contents).appendSequence(to: &out)
    case .jsonPatch:
      let patch =
        if let edits { patch(edits) } else { patch(change, from: old, to: new) }
      guard patch.count <= encoding.maxOps else { return false }
      patch.append(to: &out)
    case .textEdits:
      guard let text else { return false }
      let difference = text.difference(comparingSpans: encoding.text.spans)
      guard difference.edits.count <= encoding.maxOps else { return false }
      out.append(difference.edits, of: text.new)
      append(difference, of: text.new, encoding.text, to: &out)
    }
    return true
  }
}

extension [Stage] {
  /// The number of operations in all stages.
  fileprivate var opCount: Int { reduce(0) { $0 + $1.ops.count } }
}
