import ByteBuffers
import Testing

@testable import ListServer

/// Changes that no daemon writes are refused, even with a correct checksum.
@Suite struct JournalTests {
  @Test(arguments: [
    // Ranges beyond the items, and beyond the numbers.
    #"[{"list":"a","revision":2,"sections":[{"own":0,"items":[[9223372036854775807,2]]}]}]"#,
    #"[{"list":"a","revision":2,"sections":[{"own":0,"items":[[2,2]]}]}]"#,
    #"[{"list":"a","revision":2,"selection":[[9223372036854775807,1]]}]"#,
    #"[{"list":"a","revision":1,"selection":[],"anchor":-1}]"#,
    #"[{"list":"a","revision":1,"selection":[],"cursor":9223372036854775807}]"#,
    // Revisions that cannot have a successor or do not exist.
    #"[{"list":"a","revision":9223372036854775807,"selection":[]}]"#,
    #"[{"list":"a","revision":-1,"selection":[]}]"#,
    // Composites with a duplicate source, with an invalid name as source, or with themselves as
    // source.
    #"[{"list":"b","revision":1,"sources":["a","a"],"selection":[]}]"#,
    #"[{"list":"b","revision":1,"sources":["a","b/a"],"selection":[]}]"#,
    #"[{"list":"b","revision":1,"sources":["a","b"]}]"#,
    #"[{"list":"b","revision":1,"sources":["c"]},{"list":"c","revision":1,"sources":["b"]}]"#,
  ])
  func refusesImpossibleChanges(_ change: String) {
    var session = Session()
    #expect(throws: Journal.Problem.self) {
      _ = try session.lists.restore(journal([Self.first, change]))
    }
  }

  /// Selected items and cursors beyond the items are ignored.
  @Test(arguments: ["2", "3", "9007199254740992"]) func ignoresMarksBeyondTheItems(_ index: String)
    throws
  {
    var session = Session()
    let marks = #""selection":[[0,4000000000000]],"anchor":\#(index),"cursor":\#(index)"#
    _ = try session.lists.restore(journal([Self.first, #"[{"list":"a","revision":1,\#(marks)}]"#]))
    let text = #"{"jsonrpc":"2.0","id":1,"method":"getSelection","params":{"list":"a"}}"#
    session.receive(.message(SharedBytes(copying: text.utf8)))
    let answer = session.outbox.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    #expect(
      answer.contains(#""selection":[{"at":[0,0],"count":2}]"#)
        && answer.contains(#""cursor":null"#))
  }

  private static let first =
    #"[{"list":"a","revision":1,"sections":[{"own":{"id":1,"selectionMode":"multiple"},"items":[1,2]}],"selection":[]}]"#

  private func journal(_ changes: [String]) -> SharedBytes {
    var journal = ByteBuffer()
    journal.append(contentsOf: Journal.header.utf8)
    var chain = Journal.Chain()
    for change in changes {
      var records = ByteBuffer()
      records.append(contentsOf: change.utf8)
      Journal.append(records, to: &journal, &chain)
    }
    return journal.shared()
  }
}
