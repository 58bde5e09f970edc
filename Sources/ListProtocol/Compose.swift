import JSONBytes
import ListState

extension ListService {
  /// `compose`: makes a list of the sections of others and tells the change.
  mutating func compose(
    _ message: SharedBytes, _ range: Range<Int>?, to out: inout ByteBuffer
  ) throws(Failure) {
    let params = try Params(message, range, known: ["list", "sources"] + ChangeParams.members)
    let name = try params.require("list").requireString()
    let sources = try params.require("sources", expected: "an array of names").requireElements()
    var names: [[UInt8]] = []
    var known: Set<[UInt8]> = []
    for source in sources {
      guard let name = source.string, !name.contains(0x2F) else {
        throw source.failure(expected: "the name of a list, without \"/\"")
      }
      guard known.insert(name).inserted else {
        throw source.failure(expected: "a list that is not a source already")
      }
      names.append(name)
    }
    let change = try ChangeParams(
      params, name, store.ids, Telling(params, isTold: !isSubscribed(name)))
    try checkCancellation()
    if change.telling.format == .textEdits { try openText(of: name) }
    let changes: [ListChange]
    do { changes = try store.compose(name, of: names, change.request) } catch {
      throw failure(error, change.named)
    }
    answer(changes, change.telling, to: &out)
  }
}
