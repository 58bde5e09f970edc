import ListServer
import Testing

@Suite struct SessionTests {
  static let lists = #"{"lists":[]}"#

  @Test func answersWithoutInitialize() {
    let result = replies(to: request("1", "getLists"))
    #expect(result.output == [reply("1", Self.lists)] && result.code == 0)
  }

  @Test func initializesOnceAndShutsDown() {
    let result = replies(
      to: request("1", "initialize"), request("2", "initialize"), notification("initialized"),
      request("3", "shutdown"), request("4", "getLists"), request("5", "initialize"),
      notification("getLists"), notification("exit"), request("6", "getLists"))
    #expect(result.output.count == 5 && result.code == 0)
    #expect(result.output[0].contains(#""protocolVersion":1"#))
    #expect(result.output[1].contains(#""id":2,"error":{"code":-32600"#))
    #expect(result.output[2] == reply("3", "null"))
    #expect(result.output[3...].allSatisfy { $0.contains("-32600") })
  }

  @Test func exitWithoutShutdownIsAFailure() {
    #expect(replies(to: notification("exit")).code == 1)
    let result = replies(to: request("1", "exit"), request("2", "getLists"))
    #expect(result.output.count == 2 && result.output[0].contains("-32600") && result.code == 0)
  }

  @Test(arguments: [
    "1", "-7", "1.0", "1e3", "\"a\"", "\"\\u0061\"", "null", "\"\"", "99999999999999999999",
  ])
  func echoesIDs(_ id: String) {
    #expect(replies(to: request(id, "getLists")).output == [reply(id, Self.lists)])
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
  func answersInvalidMessages(_ message: String, _ code: String, _ id: String) {
    // The framing is chosen by the first message.
    let result = replies(to: request("0", "getLists"), message, request("9", "getLists"))
    #expect(result.output.count == 3 && result.code == 0)
    #expect(result.output[1].hasPrefix(#"{"jsonrpc":"2.0","id":\#(id),"error":{"code":\#(code),"#))
    #expect(result.output.last == reply("9", Self.lists))
  }

  @Test func doesNotAnswerNotifications() {
    let result = replies(
      to: notification("getLists"), notification("nothing"), notification("$/nothing"),
      notification("getLists", "[1]"), #"{"jsonrpc":"2.0","method":"getLists","params":1}"#,
      #"{"jsonrpc":"2.0","id":1,"result":7}"#, #"[{"jsonrpc":"2.0","method":"getLists"}]"#)
    #expect(result.output == [] && result.code == 0)
  }

  @Test func answersBatchesWithOneArray() {
    let result = replies(
      to: "[\(request("1", "getLists")),\(notification("getLists")),7,"
        + "\(request("2", "applySnapshot", #"{"list":"l","items":[],"format":"none"}"#)),"
        + "\(request("3", "getSelection", #"{"list":"l"}"#))]", "[\(notification("exit"))]")
    #expect(result.output.count == 1 && result.code == 1)
    let reply = result.output[0]
    #expect(reply.hasPrefix(#"[{"jsonrpc":"2.0","id":1,"result""#) && reply.hasSuffix("]"))
    let ids = reply.matches(of: /"id":(\d|null)/).map { String($0.1) }
    #expect(ids == ["1", "null", "2", "3"])
  }

  /// Warnings are sent to a client that is initialized, after the reply; otherwise they are
  /// diagnostics.
  @Test func sendsWarningsToTheClientOrDiagnostics() {
    let invalid = notification("removeList", #"{"list":"x"}"#)
    let result = replies(
      to: request("1", "initialize"), "[\(invalid),\(request("2", "getLists"))]")
    #expect(result.output.count == 3)
    #expect(result.output[1] == "[\(reply("2", Self.lists))]")
    #expect(
      result.output[2]
        == notification("window/logMessage", #"{"type":2,"message":"no list \"x\""}"#))
    var conversation = Conversation()
    conversation.receive("\(invalid)\n".utf8)
    #expect(conversation.output == [] && conversation.diagnostics == [#"no list "x""#])
  }

  @Test func sendsTraces() {
    let result = replies(
      to: notification("$/setTrace", #"{"value":"verbose"}"#), request("1", "getLists"),
      notification("$/setTrace", #"{"value":"off"}"#), request("2", "getLists"))
    #expect(result.output.count == 4)
    #expect(
      result.output[2].contains(
        #""method":"$/logTrace","params":{"message":"answered getLists (1)""#))
  }

  @Test func cancelsPendingRequests() {
    let apply = #"{"list":"l","items":["a"]}"#
    let result = replies(
      to: request("1", "applySnapshot", apply), request(#""b""#, "getLists"),
      request("2", "getLists"), cancelled: ["1", #""b""#])
    for (line, id) in zip(result.output, ["1", #""b""#]) {
      #expect(
        line == #"{"jsonrpc":"2.0","id":\#(id),"error":{"code":-32800,"message":"#
          + #""the request was cancelled","data":{"reason":"requestCancelled"}}}"#)
    }
    #expect(result.output[2] == reply("2", Self.lists))
  }

  @Test func cancelsRequestsWithInvalidParams() {
    let result = replies(to: request("1", "getLists", "5"), cancelled: ["1"])
    #expect(result.output[0].contains(#""id":1,"error":{"code":-32800,"#))
  }
}
