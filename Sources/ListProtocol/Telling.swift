import JSONBytes
import ListDiff
import ListState

/// How a request wants its change to be told.
struct Telling {
  var format = Format.stages
  var content = false
  var maxOps = Int.max

  /// The members `format`, `content` and `maxOps`; without a format the change is told only if
  /// `isTold`.
  init(_ params: Params, isTold: Bool = true) throws(Failure) {
    if !isTold { format = .none }
    if let value = params["format"] { format = try value.requireChoice(of: Format.self) }
    if let value = params["content"] { content = try value.requireBoolean() }
    if let value = params["maxOps"] { maxOps = try value.requireCount() }
  }

  /// As a subscriber wants it.
  init(_ subscription: Subscription) {
    format = subscription.format
    content = subscription.content
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
    if telling.format == .textEdits, let text { out.append(revisionsOf: text) }
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
    let contents = SnapshotWriter(snapshot: new, singleLine: singleLine)
    switch telling.format {
    case .none: return
    case .stages:
      append("stages", change.stages.opCount, telling, to: &out) { out in
        StagesWriter(
          change.stages, to: new, contents: telling.content ? contents : nil
        ).append(to: &out)
      }
    case .ops:
      append("ops", OpSequence(change.stages).ops.count, telling, to: &out) { out in
        StagesWriter(change.stages, to: new, contents: contents).appendSequence(to: &out)
      }
    case .jsonPatch:
      let patch = patch(change, from: old, to: new)
      append("jsonPatch", patch.count, telling, to: &out) { patch.append(to: &$0) }
    case .textEdits:
      if let text {
        let edits = text.edits
        append("textEdits", edits.count, telling, to: &out) { $0.append(edits, of: text.new) }
      }
    }
    out.append(",\"counts\":{")
    out.append("rows", change.movement.rowCounts)
    out.append(",")
    out.append("sections", change.movement.sectionCounts)
    out.append("}")
  }

  /// Appends a member with `count` entries, or where these are more than wanted that there are.
  private func append(
    _ name: StaticString, _ count: Int, _ telling: Telling, to out: inout ByteBuffer,
    _ write: (inout ByteBuffer) -> Void
  ) {
    if count > telling.maxOps { return out.append(",\"reload\":true") }
    out.append(",\"")
    out.append(name)
    out.append("\":")
    write(&out)
  }
}

extension [Stage] {
  /// The number of operations of all stages.
  fileprivate var opCount: Int { reduce(0) { $0 + $1.ops.count } }
}
