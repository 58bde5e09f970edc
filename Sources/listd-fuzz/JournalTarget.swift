import JSONBytes
import ListServer

/// Bytes that are no journal are refused; what is restored can be written down and restored again.
enum JournalTarget {
  static func run(_ bytes: UnsafeRawBufferPointer) {
    restore(Array(bytes))
    // With a checksum that is right, what is inside is looked at.
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
    record(&session)
    let before = SessionTarget.state(of: &session)
    let written = SessionTarget.journal(of: &session)
    var again = Session()
    guard (try? again.lists.restore(SharedBytes(copying: written))) != nil else {
      preconditionFailure("a journal that cannot be read")
    }
    precondition(SessionTarget.state(of: &again) == before, "lists that did not come back")
    // What came back can change.
    let lists = SessionTarget.ask("getLists", "{}", &session)
    for name in SessionTarget.names(in: lists) {
      let change = "{\"list\":\(name),\"items\":[1,2]}"
      let told = SessionTarget.ask("applySnapshot", change, &session)
      precondition(!told.contains("\"code\":-32603"), "a broken law: \(told)")
      _ = SessionTarget.ask("removeList", "{\"list\":\(name)}", &session)
    }
  }

  /// A record that begins with what was restored can be run again.
  private static func record(_ session: inout Session) {
    var recording = Recording()
    recording.note(options: [], listsOf: &session.lists)
    guard !recording.lines.isEmpty else { return }
    guard let recorded = try? RecordedSession(recording.takeLines()),
      (try? Replay(recorded, SessionOptions())) != nil
    else { preconditionFailure("lists that a record does not give back") }
  }
}
