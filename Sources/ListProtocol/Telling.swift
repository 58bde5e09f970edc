import JSONBytes
import ListDiff
import ListState

/// How a request wants its change to be told.
struct Telling {
  var format = Format.stages
  var content = false
  var maxOps = Int.max

  /// A change told in a format, with what it brings in.
  init(_ format: Format) {
    self.format = format
    content = true
  }

  /// The members `format`, `content` and `maxOps`.
  init(_ params: Params) throws(Failure) {
    if let value = params["format"] { format = try value.requireChoice(of: Format.self) }
    if let value = params["content"] { content = try value.requireBoolean() }
    if let value = params["maxOps"] { maxOps = try value.requireCount() }
  }
}

extension ListService {
  /// Appends a change as the result of a request, and makes the list's text the new one.
  mutating func append(
    _ change: ListChange, of name: [UInt8], _ telling: Telling, to out: inout ByteBuffer
  ) {
    if telling.format == .textEdits, !book.hasText(name) { openText(of: name) }
    let text = updateText(of: name, change.changes.matching)
    append(change, of: name, telling, text, to: &out)
  }

  /// Appends a change of a list whose text, if it is kept, has been made the new one.
  mutating func append(
    _ change: ListChange, of name: [UInt8], _ telling: Telling, _ text: TextChange?,
    to out: inout ByteBuffer
  ) {
    out.append(openingFor: name)
    out.append(member: "baseRevision", change.baseRevision)
    out.append(member: "revision", change.revision)
    append(change.changes, from: change.old, to: change.new, telling, text, to: &out)
    if telling.format == .textEdits, let text { out.append(revisionsOf: text) }
    guard let list = try? store.list(name) else { preconditionFailure("a list that is gone") }
    out.append(selection: list.selection.items, cursor: list.cursor, in: change.new)
    out.append(",\"deselected\":[")
    for (place, item) in change.deselected.enumerated() {
      out.append(place == 0 ? "{" : ",{")
      let key = change.old.arrangement.rows[item.item]
      if [.string, .integer].contains(store.ids.kind(of: key)) {
        out.append("\"id\":")
        out.append(id: key, store.ids)
        out.append(",")
      }
      out.append("\"at\":")
      out.append(change.old.path(ofItem: item.item))
      out.append(item.gone ? ",\"gone\":true}" : ",\"gone\":false}")
    }
    out.append("]}")
  }

  /// Appends the members that tell a change, with commas before them.
  ///
  /// `text` is needed for edits of a text only.
  mutating func append(
    _ change: SnapshotChange, from old: Snapshot, to new: Snapshot, _ telling: Telling,
    _ text: TextChange?, to out: inout ByteBuffer
  ) {
    out.append(",\"format\":\"")
    out.append(contentsOf: telling.format.rawValue.utf8)
    out.append("\"")
    if telling.format == .none { return }
    let start = out.count
    out.append(",\"")
    out.append(contentsOf: telling.format.rawValue.utf8)
    out.append("\":")
    if !append(entriesOf: change, from: old, to: new, telling, text, to: &out) {
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
    entriesOf change: SnapshotChange, from old: Snapshot, to new: Snapshot, _ telling: Telling,
    _ text: TextChange?, to out: inout ByteBuffer
  ) -> Bool {
    let contents = SnapshotWriter(snapshot: new, singleLine: singleLine)
    switch telling.format {
    case .none: break
    case .stages:
      guard change.stages.opCount <= telling.maxOps else { return false }
      StagesWriter(change.stages, to: new, contents: telling.content ? contents : nil)
        .append(to: &out)
    case .ops:
      guard OpSequence(change.stages).ops.count <= telling.maxOps else { return false }
      StagesWriter(change.stages, to: new, contents: contents).appendSequence(to: &out)
    case .jsonPatch:
      let patch = patch(change, from: old, to: new)
      guard patch.count <= telling.maxOps else { return false }
      patch.append(to: &out)
    case .textEdits:
      guard let text else { return false }
      let edits = text.edits
      guard edits.count <= telling.maxOps else { return false }
      out.append(edits, of: text.new)
    }
    return true
  }
}

extension [Stage] {
  /// The number of operations of all stages.
  fileprivate var opCount: Int { reduce(0) { $0 + $1.ops.count } }
}
