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
  /// Appends a change as the result of a request, without its closing brace.
  func append(_ change: ListChange, _ telling: Telling, to out: inout ByteBuffer) {
    out.append(openingFor: change.name)
    out.append(member: "baseRevision", change.baseRevision)
    out.append(member: "revision", change.revision)
    append(change.changes, to: change.new, telling, to: &out)
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
  func append(
    _ change: SnapshotChange, to new: Snapshot, _ telling: Telling, to out: inout ByteBuffer
  ) {
    out.append(",\"format\":\"")
    out.append(contentsOf: telling.format.rawValue.utf8)
    out.append("\"")
    switch telling.format {
    case .none: return
    case .stages:
      if change.stages.reduce(0, { $0 + $1.ops.count }) > telling.maxOps {
        out.append(",\"reload\":true")
      } else {
        out.append(",\"stages\":")
        StagesWriter(
          stages: change.stages,
          contents: telling.content
            ? SnapshotWriter(snapshot: new, singleLine: singleLine) : nil
        ).append(to: &out)
      }
    }
    out.append(",\"counts\":{")
    out.append("rows", change.movement.rowCounts)
    out.append(",")
    out.append("sections", change.movement.sectionCounts)
    out.append("}")
  }
}
