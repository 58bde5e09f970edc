import ByteBuffers
import ListServer

/// Invalid journals must be rejected, and restored lists must be written and restored again
/// unchanged.
enum JournalTarget {
  static func run(_ bytes: UnsafeRawBufferPointer) {
    restore(Array(bytes))
    // A correct checksum lets the content of lines be read, too.
    var lines = ByteBuffer()
    lines.append(contentsOf: Journal.header.utf8)
    var chain = Journal.Chain()
    for line in bytes.split(separator: 0x0A) {
      let effects = ByteBuffer(copying: UnsafeRawBufferPointer(rebasing: line))
      Journal.append(effects, to: &lines, &chain)
    }
    restore(lines.withUnsafeBytes { Array($0) })
  }

  private static func restore(_ journal: [UInt8]) {
    var session = Session()
    guard (try? session.lists.restore(SharedBytes(copying: journal))) != nil else { return }
    checkRecord(of: &session)
    let before = SessionTarget.state(of: &session)
    let written = SessionTarget.journal(of: &session)
    var again = Session()
    guard (try? again.lists.restore(SharedBytes(copying: written))) != nil else {
      preconditionFailure("the written journal cannot be read")
    }
    precondition(SessionTarget.state(of: &again) == before, "the lists were not restored")
    // Restored lists must be changeable.
    let lists = SessionTarget.ask("getLists", "{}", &session)
    for name in SessionTarget.names(in: lists) {
      let change = "{\"list\":\(name),\"items\":[1,2]}"
      let reply = SessionTarget.ask("applySnapshot", change, &session)
      precondition(!reply.contains("\"code\":-32603"), "an invariant is violated: \(reply)")
      _ = SessionTarget.ask("removeList", "{\"list\":\(name)}", &session)
    }
  }

  /// A record that begins with the restored lists must be replayable.
  private static func checkRecord(of session: inout Session) {
    var recording = Recording()
    recording.record(options: [], listsOf: &session.lists)
    guard !recording.lines.isEmpty else { return }
    guard let recorded = try? RecordedSession(recording.takeLines()),
      (try? Replay(recorded, SessionOptions())) != nil
    else { preconditionFailure("the record of the lists cannot be replayed") }
  }
}
