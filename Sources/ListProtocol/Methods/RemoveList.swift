import ByteBuffers
import ListState

extension ListService {
  /// `removeList`: removes a list. Its revision numbers are not used again.
  mutating func removeList(
    _ message: SharedBytes, _ range: Range<Int>?, to out: inout ByteBuffer
  ) throws(Failure) {
    let list = try list(try Params(message, range, known: [.list]))
    let changes: [ListChange]
    do { changes = try store.remove(list.name) } catch {
      throw failure(error, NamedValues(list: list.name))
    }
    freedMemory += list.snapshot.footprint
    closeText(of: list.name)
    book.own[list.name] = nil
    // A subscription is kept, and reports changes of the text from the empty one on.
    if hasTextSubscriber(list.name) { try openText(of: list.name) }
    out.append("null")
    report(.removed(list.name))
    for change in changes {
      report(.changed(change, updateText(of: change.name, .snapshots(change))))
    }
  }
}
