import ListServer
import Testing

@Suite struct SessionTests {
  static let lists = #"{"lists":[]}"#

  @Test func noHandshakeIsNeeded() {
    let told = replies(to: request("1", "getLists"))
    #expect(told.said == [reply("1", Self.lists)] && told.code == 0)
  }

  @Test func beginsOnceAndEnds() {
    let told = replies(
      to: request("1", "initialize"), request("2", "initialize"), notification("initialized"),
      request("3", "shutdown"), request("4", "getLists"), request("5", "initialize"),
      notification("getLists"), notification("exit"), request("6", "getLists"))
    #expect(told.said.count == 5 && told.code == 0)
    #expect(told.said[0].contains(#""protocolVersion":1"#))
    #expect(told.said[1].contains(#""id":2,"error":{"code":-32600"#))
    #expect(told.said[2] == reply("3", "null"))
    #expect(told.said[3...].allSatisfy { $0.contains("-32600") })
  }

  @Test func exitWithoutShutdownIsAFailure() {
    #expect(replies(to: notification("exit")).code == 1)
    let asked = replies(to: request("1", "exit"), request("2", "getLists"))
    #expect(asked.said.count == 2 && asked.said[0].contains("-32600") && asked.code == 0)
  }

  @Test(arguments: [
    "1", "-7", "1.0", "1e3", "\"a\"", "\"\\u0061\"", "null", "\"\"", "99999999999999999999",
  ])
  func idsComeBack(_ id: String) {
    #expect(replies(to: request(id, "getLists")).said == [reply(id, Self.lists)])
  }

  @Test(arguments: [
    ("1", "-32600", "null"), ("{}", "-32600", "null"),
    (#"{"jsonrpc":"2.0","id":1}"#, "-32600", "1"),
    (#"{"jsonrpc":"1.0","id":1,"method":"getLists"}"#, "-32600", "1"),
    (#"{"jsonrpc":"2.0","id":[],"method":"getLists"}"#, "-32600", "null"),
    (#"{"jsonrpc":"2.0","id":1,"method":7}"#, "-32600", "1"),
    (#"{"jsonrpc":"2.0","id":1,"method":"getLists","params":1}"#, "-32600", "1"),
    (#"{"jsonrpc":"2.0","id":1,"method":"getLists","params":[0]}"#, "-32602", "1"),
    (#"{"jsonrpc":"2.0","id":1,"method":"nothing"}"#, "-32601", "1"),
    ("[", "-32700", "null"), ("{\"a\":1,}", "-32700", "null"), ("hello", "-32700", "null"),
    ("[]", "-32600", "null"), ("{\"a\":\"\u{0}\"}", "-32700", "null"),
  ])
  func spoiledMessagesAreAnswered(_ message: String, _ code: String, _ id: String) {
    // The first message chooses the framing.
    let told = replies(to: request("0", "getLists"), message, request("9", "getLists"))
    #expect(told.said.count == 3 && told.code == 0)
    #expect(told.said[1].hasPrefix(#"{"jsonrpc":"2.0","id":\#(id),"error":{"code":\#(code),"#))
    #expect(told.said.last == reply("9", Self.lists))
  }

  @Test func notificationsAreNeverAnswered() {
    let told = replies(
      to: notification("getLists"), notification("nothing"), notification("$/nothing"),
      notification("getLists", "[1]"), #"{"jsonrpc":"2.0","method":"getLists","params":1}"#,
      #"{"jsonrpc":"2.0","id":1,"result":7}"#, #"[{"jsonrpc":"2.0","method":"getLists"}]"#)
    #expect(told.said == [] && told.code == 0)
  }

  @Test func batchesAreAnsweredByOneArray() {
    let told = replies(
      to: "[\(request("1", "getLists")),\(notification("getLists")),7,"
        + "\(request("2", "applySnapshot", #"{"list":"l","items":[],"format":"none"}"#)),"
        + "\(request("3", "getSelection", #"{"list":"l"}"#))]", "[\(notification("exit"))]")
    #expect(told.said.count == 1 && told.code == 1)
    let reply = told.said[0]
    #expect(reply.hasPrefix(#"[{"jsonrpc":"2.0","id":1,"result""#) && reply.hasSuffix("]"))
    let ids = reply.matches(of: /"id":(\d|null)/).map { String($0.1) }
    #expect(ids == ["1", "null", "2", "3"])
  }

  /// Warnings go to a client that began with `initialize`, after the reply; else to people.
  @Test func warningsFindTheirReader() {
    let spoiled = notification("removeList", #"{"list":"x"}"#)
    let told = replies(
      to: request("1", "initialize"), "[\(spoiled),\(request("2", "getLists"))]")
    #expect(told.said.count == 3)
    #expect(told.said[1] == "[\(reply("2", Self.lists))]")
    #expect(
      told.said[2] == notification("window/logMessage", #"{"type":2,"message":"no list \"x\""}"#))
    var conversation = Conversation()
    conversation.hear("\(spoiled)\n".utf8)
    #expect(conversation.said == [] && conversation.words == [#"no list "x""#])
  }

  @Test func tracesAreTold() {
    let told = replies(
      to: notification("$/setTrace", #"{"value":"verbose"}"#), request("1", "getLists"),
      notification("$/setTrace", #"{"value":"off"}"#), request("2", "getLists"))
    #expect(told.said.count == 4)
    #expect(
      told.said[2].contains(#""method":"$/logTrace","params":{"message":"answered getLists (1)""#))
  }

  @Test func whatWaitsIsCancelled() {
    let apply = #"{"list":"l","items":["a"]}"#
    let told = replies(
      to: request("1", "applySnapshot", apply), request(#""b""#, "getLists"),
      request("2", "getLists"), cancelled: ["1", #""b""#])
    for (said, id) in zip(told.said, ["1", #""b""#]) {
      #expect(
        said == #"{"jsonrpc":"2.0","id":\#(id),"error":{"code":-32800,"message":"#
          + #""the request was cancelled","data":{"reason":"requestCancelled"}}}"#)
    }
    #expect(told.said[2] == reply("2", Self.lists))
  }

  @Test func whatWaitsIsCancelledWhateverItsParams() {
    let told = replies(to: request("1", "getLists", "5"), cancelled: ["1"])
    #expect(told.said[0].contains(#""id":1,"error":{"code":-32800,"#))
  }
}
