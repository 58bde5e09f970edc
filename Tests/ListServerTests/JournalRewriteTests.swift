import ByteBuffers
import JSONRPC
import ListServer
import Testing

/// A journal that is written in pieces while the lists change restores what they are in the end.
@Suite struct JournalRewriteTests {
  /// What a session writes to its journal.
  private final class Lines {
    var bytes: [UInt8] = []

    var sink: JournalSink {
      JournalSink(path: "lines") { [self] in
        bytes += $0
        return nil
      }
    }
  }

  private func ask(_ method: String, _ params: String, _ session: inout Session) -> String {
    session.receive(.message(SharedBytes(copying: request("1", method, params).utf8)))
    defer { session.outbox.removeAll() }
    return session.outbox.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
  }

  private func change(_ method: String, _ params: String, _ session: inout Session) {
    let answer = ask(method, params, &session)
    #expect(answer.contains(#""result":"#), "\(answer)")
  }

  private func state(of session: inout Session) -> [String] {
    var state = [ask("getLists", "{}", &session)]
    for list in ["a", "b", "both", "tree", "gone", "new"] {
      for method in ["getSnapshot", "getSelection"] {
        state.append(ask(method, #"{"list":"\#(list)"}"#, &session))
      }
    }
    return state
  }

  private func section(_ name: String, _ count: Int) -> String {
    let items = (0..<count).map {
      #"{"id":"\#(name)\#($0)", "up":"\#(name)\#($0 / 3)", "parts":["p",{"id":\#($0)}]}"#
    }
    let list = items.joined(separator: ", ")
    return #"{"id":"\#(name)","selectionMode":"multiple","items":[\#(list)]}"#
  }

  private func makeLists(_ session: inout Session) {
    change("registerTemplates", #"{"templates":{"Cell":"{id}"}}"#, &session)
    let sections = [("s", 40), ("empty", 0), ("t", 1), ("u", 30)].map { section($0, $1) }
    let list = sections.joined(separator: ",")
    change("applySnapshot", #"{"list":"a","sections":[\#(list)]}"#, &session)
    change("applySnapshot", #"{"list":"b","items":["x","y",{"id":"z"}]}"#, &session)
    change("applySnapshot", #"{"list":"gone","items":[]}"#, &session)
    change("removeList", #"{"list":"gone"}"#, &session)
    change("compose", #"{"list":"both","sources":["b","a"]}"#, &session)
    let view = #"{"tree":{"parent":"up"},"window":{"start":1,"count":9}}"#
    change("compose", #"{"list":"tree","sources":["a"],"view":\#(view)}"#, &session)
    change("select", #"{"list":"a","items":["s3","u5"],"cursor":{"path":[0,4]}}"#, &session)
    // From here on the list is kept as a tree.
    change(1, &session)
  }

  /// Makes one of many changes.
  private func change(_ number: Int, _ session: inout Session) {
    switch number % 7 {
    case 0: change("applySnapshot", #"{"list":"b","items":["y","n\#(number)"]}"#, &session)
    case 1:
      let edit = #"{"edit":"moveItems","items":["s\#(number % 40)"],"section":"empty"}"#
      change("editSnapshot", #"{"list":"a","edits":[\#(edit)]}"#, &session)
    case 2:
      let edit = #"{"edit":"appendItems","items":["n\#(number)"],"section":"t"}"#
      change("editSnapshot", #"{"list":"a","edits":[\#(edit)]}"#, &session)
    case 3: change("select", #"{"list":"both","items":["u\#(number % 30)"]}"#, &session)
    case 4: change("applySnapshot", #"{"list":"new","items":[\#(number)]}"#, &session)
    case 5:
      let edit = #"{"edit":"expandItems","items":["u\#(number % 30)"]}"#
      change("editSnapshot", #"{"list":"tree","edits":[\#(edit)]}"#, &session)
    default: change("removeList", #"{"list":"new"}"#, &session)
    }
  }

  @Test(arguments: [1, 500, 4_000, 1 << 20])
  func thePiecesAndTheLinesSinceThenRestoreTheLists(limit: Int) throws {
    var session = Session()
    let old = Lines()
    session.lists.recordChanges(in: old.sink)
    makeLists(&session)
    var journal = ByteBuffer()
    var rewrite = session.lists.beginRewrite()
    let start = old.bytes.count
    var number = 4
    while rewrite.appendPiece(atMost: limit, to: &journal) {
      change(number, &session)
      number += 1
    }
    #expect(limit > 1 || number > 30, "the lists are in many pieces")
    let end = old.bytes.count
    let copied = old.bytes[start...].withUnsafeBytes { rewrite.append(lines: $0, to: &journal) }
    #expect(copied == end - start)
    session.lists.finish(rewrite)
    for more in 0..<7 { change(number + more, &session) }
    journal.append(contentsOf: old.bytes[end...])
    var restored = Session()
    _ = try restored.lists.restore(journal.shared())
    #expect(state(of: &restored) == state(of: &session))
  }
}
