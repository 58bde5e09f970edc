import JSONBytes
import Testing

@testable import ListServer

/// What no daemon writes is refused even where its checksum is right.
@Suite struct JournalTests {
  @Test(arguments: [
    // Runs beyond all items, and beyond all numbers.
    #"[{"list":"a","revision":2,"sections":[{"own":0,"items":[[9223372036854775807,2]]}]}]"#,
    #"[{"list":"a","revision":2,"sections":[{"own":0,"items":[[2,2]]}]}]"#,
    #"[{"list":"a","revision":2,"selection":[[9223372036854775807,1]]}]"#,
    #"[{"list":"a","revision":1,"selection":[],"anchor":-1}]"#,
    #"[{"list":"a","revision":1,"selection":[],"cursor":9223372036854775807}]"#,
    // Revisions that nothing can follow or that never were.
    #"[{"list":"a","revision":9223372036854775807,"selection":[]}]"#,
    #"[{"list":"a","revision":-1,"selection":[]}]"#,
    // Lists that are made of the same list twice, of what is no name, or of themselves.
    #"[{"list":"b","revision":1,"sources":["a","a"],"selection":[]}]"#,
    #"[{"list":"b","revision":1,"sources":["a","b/a"],"selection":[]}]"#,
    #"[{"list":"b","revision":1,"sources":["a","b"]}]"#,
    #"[{"list":"b","revision":1,"sources":["c"]},{"list":"c","revision":1,"sources":["b"]}]"#,
  ])
  func refuses(_ change: String) {
    var session = Session()
    #expect(throws: Journal.Problem.self) {
      _ = try session.lists.restore(journal([Self.first, change]))
    }
  }

  /// Marks beyond the items are none.
  @Test(arguments: ["2", "3", "9007199254740992"]) func marksStayInTheList(_ place: String)
    throws
  {
    var session = Session()
    let marks = #""selection":[[0,4000000000000]],"anchor":\#(place),"cursor":\#(place)"#
    _ = try session.lists.restore(journal([Self.first, #"[{"list":"a","revision":1,\#(marks)}]"#]))
    let text = #"{"jsonrpc":"2.0","id":1,"method":"getSelection","params":{"list":"a"}}"#
    session.receive(.message(SharedBytes(copying: text.utf8)))
    let told = session.outbox.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    #expect(
      told.contains(#""selection":[{"at":[0,0],"count":2}]"#) && told.contains(#""cursor":null"#))
  }

  private static let first =
    #"[{"list":"a","revision":1,"sections":[{"own":{"id":1},"items":[1,2]}],"selection":[]}]"#

  private func journal(_ changes: [String]) -> SharedBytes {
    var journal = ByteBuffer()
    journal.append(contentsOf: Journal.header.utf8)
    var chain = Journal.Chain()
    for change in changes {
      var effects = ByteBuffer()
      effects.append(contentsOf: change.utf8)
      Journal.append(effects, to: &journal, &chain)
    }
    return journal.shared()
  }
}
