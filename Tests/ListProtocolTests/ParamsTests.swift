import ListProtocol
import Testing

/// Promise: A wrong parameter is reported with its pointer, a misspelt word with the nearest known
///   one. Also `NearestTests`.
@Suite struct ParamsTests {
  @Test func refusesUnknownMembers() {
    let service = Service()
    #expect(
      service.ask(.applySnapshot, #"{"list":"l","itmes":[]}"#)
        == #"-32602 /params/itmes: unknown member "itmes"; did you mean "items"? "#
        + #","pointer":"/params/itmes","expected":"\"items\"""#)
    #expect(
      service.refusal(.getLists, #"{"a/b~c":1}"#)
        == #","pointer":"/params/a~1b~0c","expected":"no members""#)
    #expect(
      service.refusal(.getSnapshot, #"{"list":"l","zzzzzz":1}"#)
        == #","pointer":"/params/zzzzzz","expected":"one of list, revision, window, members""#)
    let more = #"{"_x":1,"$y":[],"workDoneToken":7,"_":null}"#
    #expect(service.succeeds(.getLists, more))
  }

  @Test func treatsNullAsAbsent() {
    let service = Service()
    #expect(
      service.succeeds(
        .applySnapshot,
        #"""
        {"list":"l","items":["a"],"sections":null,"snapshot":null,"baseRevision":null,"format":null,
        "content":null,"maxOps":null,"selected":null,"cursor":null,"cursorPolicy":null}
        """#))
    #expect(service.succeeds(.getLists, "null"))
    #expect(
      service.refusal(.getSnapshot, #"{"list":null}"#)
        == #","pointer":"/params/list","expected":"a string""#)
    // Members of items that are null are kept.
    #expect(service.succeeds(.applySnapshot, #"{"list":"m","items":[{"a":null}]}"#))
    #expect(service.ask(.getSnapshot, #"{"list":"m"}"#).contains(#"{"a":null}"#))
  }

  @Test func treatsEmptyArraysAndObjectsAlike() {
    let service = Service()
    #expect(service.succeeds(.getLists, "[]"))
    #expect(service.succeeds(.applySnapshot, #"{"list":"l","items":{}}"#))
    #expect(service.succeeds(.applySnapshot, #"{"list":"l","sections":{}}"#))
    #expect(service.succeeds(.applySnapshot, #"{"list":"l","sections":[{"id":1,"items":{}}]}"#))
    #expect(service.succeeds(.applySnapshot, #"{"list":"l","items":[[],{}]}"#))
    #expect(service.succeeds(.applySnapshot, #"{"list":"l","items":["a"],"selected":{}}"#))
    #expect(service.succeeds(.applySnapshot, #"{"list":"l","items":[{"id":1,"parts":{}}]}"#))
    #expect(
      service.refusal(.getLists, "[1]") == #","pointer":"/params","expected":"an object""#)
    #expect(
      service.refusal(.applySnapshot, #"{"list":"l","items":{"a":1}}"#)
        == #","pointer":"/params/items","expected":"an array""#)
  }

  @Test(arguments: [
    (#"{"items":[]}"#, "/params/list"), (#"{"list":1,"items":[]}"#, "/params/list"),
    (#"{"list":"l"}"#, "/params"), (#"{"list":"l","items":[],"sections":[]}"#, "/params/items"),
    (#"{"list":"l","items":[true]}"#, "/params/items/0"),
    (#"{"list":"l","items":["a",1.5]}"#, "/params/items/1"),
    (#"{"list":"l","items":[{"id":1e-2}]}"#, "/params/items/0/id"),
    (#"{"list":"l","items":[{"id":{}}]}"#, "/params/items/0/id"),
    (#"{"list":"l","items":[{"template":1}]}"#, "/params/items/0/template"),
    (#"{"list":"l","items":[{"selectable":0}]}"#, "/params/items/0/selectable"),
    (#"{"list":"l","items":[{"parts":1}]}"#, "/params/items/0/parts"),
    (#"{"list":"l","items":[{"parts":[{"parts":[]}]}]}"#, "/params/items/0/parts/0/parts"),
    (#"{"list":"l","items":[],"maxOps":-1}"#, "/params/maxOps"),
    (#"{"list":"l","items":[],"maxOps":1.5}"#, "/params/maxOps"),
    (#"{"list":"l","items":[],"content":1}"#, "/params/content"),
    (#"{"list":"l","items":[],"format":"stage"}"#, "/params/format"),
    (#"{"list":"l","items":[],"cursorPolicy":"last"}"#, "/params/cursorPolicy"),
    (#"{"list":"l","items":[],"selected":[{}]}"#, "/params/selected/0/id"),
    (#"{"list":"l","items":[],"selected":[{"path":[0]}]}"#, "/params/selected/0/path"),
    (#"{"list":"l","items":[],"selected":[{"path":[0,0],"id":1}]}"#, "/params/selected/0/id"),
    (#"{"list":"l","items":[],"selected":[{"id":1,"revision":1}]}"#, "/params/selected/0/revision"),
    (
      #"{"list":"l","items":[],"selected":[{"id":1,"ocurrence":1}]}"#,
      "/params/selected/0/ocurrence"
    ),
    (#"{"list":"l","sections":[1]}"#, "/params/sections/0"),
    (#"{"list":"l","sections":[{"items":[]}]}"#, "/params/sections/0/id"),
    (#"{"list":"l","sections":[{"id":1}]}"#, "/params/sections/0/items"),
    (#"{"list":"l","sections":[{"id":1,"items":[[1]]}]}"#, "/params/sections/0/items/0"),
    (
      #"{"list":"l","sections":[{"id":1,"items":[],"selectionMode":"some"}]}"#,
      "/params/sections/0/selectionMode"
    ),
    (#"{"list":"l","snapshot":{}}"#, "/params/snapshot"),
    (#"{"list":"l","snapshot":{"items":[],"revision":1}}"#, "/params/snapshot/revision"),
    (#"{"list":"l","snapshot":{"items":[null]}}"#, "/params/snapshot/items/0"),
  ])
  func reportsPointersToInvalidValues(_ params: String, _ pointer: String) {
    let service = Service()
    #expect(service.refusal(.applySnapshot, params).hasPrefix(#","pointer":"\#(pointer)","#))
    #expect(service.ask(.getLists, "{}") == #"{"lists":[]}"#)
  }

  @Test func usesTheLastDuplicateMember() {
    let service = Service()
    let answer = service.ask(
      .applySnapshot,
      #"{"list":"x","list":"l","items":["q"],"\u0069tems":[{"id":1,"id":2,"a":1,"a":2}]}"#)
    #expect(answer.hasPrefix(#"{"list":"l""#))
    let same = #"{"list":"l","baseRevision":1,"items":[{"a":2,"id":2}]}"#
    #expect(service.ask(.applySnapshot, same).contains(#""revision":1,"#))
  }

  /// Items are returned as they were written, on one line if the framing needs it.
  @Test func returnsContentsAsWritten() {
    let section =
      "{ \"id\" : \"s\", \"n\": 1.50 ,\"items\":[ {\"a\":\n 1e0, \"\\u0062\":\"\\u00e9\"}]}"
    for singleLine in [true, false] {
      let service = Service(singleLine ? .ndjson : .lsp)
      _ = service.ask(.applySnapshot, "{\"list\":\"l\",\"sections\":[\(section)]}")
      let answer = service.ask(.getSnapshot, "{\"list\":\"l\"}")
      #expect(answer.contains("\"n\":1.50"))
      let item = "{\"a\":\n 1e0, \"\\u0062\":\"\\u00e9\"}"
      #expect(answer.contains(singleLine ? item.replacing("\n", with: " ") : item))
      #expect(answer.contains("\n") == !singleLine)
    }
  }
}
