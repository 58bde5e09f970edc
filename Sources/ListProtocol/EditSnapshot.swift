import JSONBytes
import ListState

extension ListService {
  /// `editSnapshot`: makes edits of a list as one change and tells it.
  mutating func editSnapshot(
    _ message: SharedBytes, _ range: Range<Int>?, to out: inout ByteBuffer
  ) throws(Failure) {
    let params = try Params(message, range, known: ["list", "edits"] + ChangeParams.members)
    let name = try listName(params)
    let values = try params.require("edits", expected: "an array of edits").requireElements()
    var reader = EditReader(message)
    var edits: [Edit] = []
    for (index, value) in values.enumerated() {
      do throws(Failure) { edits.append(try reader.read(value, &store)) } catch {
        throw error.inEdit(index)
      }
    }
    // References may be to items that come with the edits.
    let change = try ChangeParams(
      params, name, store.ids, Telling(params, isTold: !isSubscribed(name)))
    try checkCancellation()
    if change.telling.format == .textEdits { try openText(of: name) }
    do throws(ListFailure) {
      if canBeToldOfDraft(name, change.telling),
        let made = try store.editDraft(name, edits, change.request)
      {
        answer(made, change.telling, to: &out)
      } else {
        answer(try store.edit(name, edits, change.request), change.telling, to: &out)
      }
    } catch {
      if case .edit(let index, let problem) = error {
        throw .edit(problem, reader.names[index], list: name, store.ids).inEdit(index)
      }
      throw failure(error, change.named)
    }
  }

  /// Whether a change of a list can be told to all who hear of it without whole snapshots.
  private func canBeToldOfDraft(_ name: [UInt8], _ telling: Telling) -> Bool {
    telling.format != .textEdits && !book.hasText(name)
      && subscriptions[name]?.format != .textEdits
  }

  /// Answers a request with a change of a list that is kept in pieces, and notes it.
  private mutating func answer(
    _ change: DraftChange, _ telling: Telling, to out: inout ByteBuffer
  ) {
    append(change, telling, to: &out)
    out.append("}")
    note(.drafted(change))
  }

  /// Appends a change of a list that is kept in pieces, without the closing brace.
  mutating func append(_ change: DraftChange, _ telling: Telling, to out: inout ByteBuffer) {
    out.append(openingFor: change.name)
    out.append(member: "baseRevision", change.baseRevision)
    out.append(member: "revision", change.revision)
    append(
      SnapshotChange(change), from: Snapshot(), to: Snapshot(), drafted: change, telling,
      nil, to: &out)
    out.append(selection: change.selection, cursor: change.cursor)
    out.append(list: "deselected", change.deselected.count) { place, out in
      let item = change.deselected[place]
      out.append("{")
      out.append(idOf: item.key, store.ids)
      out.append("\"at\":")
      out.append(item.at)
      out.append(item.gone ? ",\"gone\":true}" : ",\"gone\":false}")
    }
  }
}
