import ByteBuffers
import ListProtocol
import Testing

@Suite struct FailureTests {
  private func service() -> Service {
    let service = Service()
    _ = service.ask(
      .applySnapshot,
      #"""
      {"list":"fruit","sections":[{"id":"s","selectionMode":"multiple","items":
      ["a",{"id":"b","selectable":false},{"v":1},{"v":1}]},{"id":1,"items":[2]}]}
      """#)
    _ = service.ask(.applySnapshot, #"{"list":"fruit","items":["a"]}"#)
    return service
  }

  @Test func reportsUnknownListsAndRevisions() {
    let service = service()
    #expect(
      service.ask(.getSnapshot, #"{"list":"fruits"}"#)
        == #"-31001 no list "fruits"; did you mean "fruit"? ,"list":"fruits","nearest":"fruit""#)
    #expect(
      service.ask(.removeList, #"{"list":"\ud800 \n"}"#).hasSuffix(#","list":"\ud800 \n""#))
    #expect(
      service.ask(.getSnapshot, #"{"list":"fruit","revision":7}"#)
        == "-31002 revision 7 is not kept, only 1 to 2 "
        + #","list":"fruit","revision":7,"oldest":1,"current":2"#)
    #expect(
      service.ask(.applySnapshot, #"{"list":"fruit","items":[],"baseRevision":1}"#)
        == "-31003 the list is at revision 2, not 1 "
        + #","list":"fruit","baseRevision":1,"current":2"#)
  }

  @Test func reportsEveryDuplicate() {
    let service = service()
    #expect(
      service.ask(
        .applySnapshot,
        #"""
        {"list":"l","sections":[{"id":"s","items":[{"id":1},"x","x"]},{"id":"s","items":[1]},
        {"id":"t","items":[{"id":"y"},{"id":"\u0079"},{"q":0},{"q":0}]}]}
        """#)
        == #"-31004 duplicate identifier "s" ,"duplicates":["#
        + #"{"id":"s","pointers":["/params/sections/0","/params/sections/1"]},"#
        + #"{"id":1,"pointers":["/params/sections/0/items/0","/params/sections/1/items/0"]},"#
        + #"{"id":"y","pointers":["/params/sections/2/items/0","/params/sections/2/items/1"]}]"#)
  }

  @Test func reportsReferencesAsWritten() {
    let service = service()
    let back = #"{"list":"fruit","snapshot":{"list":"fruit","revision":1}}"#
    #expect(service.succeeds(.applySnapshot, back))
    #expect(
      service.ask(
        .select,
        #"""
        {"list":"fruit","items":["a", "2", 2, { "id" : "a",
        "occurrence":1 }, {"path":[0,3]}, {"path":[0,4]}, {"path":[1,0],"revision":2}]}
        """#)
        == #"-31005 4 items are not in the list ,"missing":["2",{ "id" : "a", "occurrence":1 },"#
        + #"{"path":[0,4]},{"path":[1,0],"revision":2}]"#)
    #expect(
      service.ask(.select, #"{"list":"fruit","items":["b",2,"b"]}"#)
        == #"-31009 2 items cannot be selected ,"items":["b","b"]"#)
    #expect(
      service.ask(.select, #"{"list":"fruit","action":"all","section":"1"}"#)
        == #"-31006 a section is not in the list ,"missing":["1"]"#)
    #expect(
      service.ask(.select, #"{"list":"fruit","cursor":{"path":[9,9]}}"#)
        == #"-31005 the row for the cursor is not in the list ,"missing":[{"path":[9,9]}]"#)
    #expect(service.succeeds(.select, #"{"list":"fruit","items":[{"path":[0,2],"revision":1},2]}"#))
    #expect(
      service.ask(.getSelection, #"{"list":"fruit"}"#).contains(#""items":[{"v":1},2]"#))
  }

  @Test func resolvesOccurrences() {
    let service = Service()
    _ = service.ask(.applySnapshot, #"{"list":"l","items":["x","y","x","x"]}"#)
    for (occurrence, row) in [(0, 0), (1, 2), (2, 3)] {
      #expect(
        service.ask(
          .select, #"{"list":"l","cursor":{"id":"x","occurrence":\#(occurrence)}}"#
        ).hasSuffix(#""cursor":[0,\#(row)]}"#))
    }
    #expect(!service.succeeds(.select, #"{"list":"l","cursor":{"id":"x","occurrence":3}}"#))
    // Many references are looked up in a table; for few, the list is searched.
    let many =
      (0..<3).map { #"{"id":"x","occurrence":\#($0)}"# } + Array(repeating: #""y""#, count: 9)
    _ = service.ask(
      .applySnapshot,
      #"{"list":"l","sections":[{"id":0,"selectionMode":"multiple","items":["x","y","x","x"]}]}"#)
    #expect(
      service.ask(
        .select, #"{"list":"l","action":"select","items":[\#(many.joined(separator: ","))]}"#
      )
      .contains(#""selection":[{"at":[0,0],"count":4}]"#))
  }

  @Test func writesErrors() {
    var buffer = ByteBuffer()
    Failure.messageTooLarge(limit: 10, bytes: 12).write(to: &buffer)
    #expect(
      buffer.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        == #"{"code":-31008,"message":"a message of 12 bytes is over the limit of 10","#
        + #""data":{"reason":"messageTooLarge","limit":10,"bytes":12}}"#)
  }
}
