import JSONBytes
import ListState

extension ListService {
  /// `editSnapshot`: makes edits of a list as one change and tells it.
  mutating func editSnapshot(
    _ message: SharedBytes, _ range: Range<Int>?, to out: inout ByteBuffer
  ) throws(Failure) {
    let params = try Params(message, range, known: ["list", "edits"] + ChangeParams.members)
    let name = try list(params).name
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
    if change.telling.format == .textEdits { openText(of: name) }
    let changes: [ListChange]
    do { changes = try store.edit(name, edits, change.request) } catch {
      if case .edit(let index, let problem) = error {
        throw .edit(problem, reader.names[index], list: name, store.ids).inEdit(index)
      }
      throw failure(error, change.named)
    }
    answer(changes, change.telling, to: &out)
  }
}
