import ByteBuffers
import JSONRPC

@testable import ListProtocol
@testable import ListState

/// A service with two clients whose answers are checked.
final class CheckedLists {
  typealias Request = (method: Method, params: String)

  /// A request with its answers and notifications.
  struct Exchange {
    var method: Method
    var params: SentObject
    var check: SelfCheck
    var notifications: [ListNotification]
    var answers: [[UInt8]]

    var texts: [String] { answers.map { String(decoding: $0, as: UTF8.self) } }
  }

  private var service = ListService(historyBytes: 64 << 20)

  /// Creates lists of two sections with a selection and a cursor, and performs requests.
  init(_ requests: [Request]) throws {
    service.selfCheck.isOn = true
    service.store.recordsModifications = true
    service.context.beginRequests(of: SharedBytes(copying: "17".utf8))
    service.context.beginRequest(id: 0..<2)
    for (method, params) in SentCases.initial + requests {
      let exchange = try ask(method, params)
      try check(exchange, exchange.answers)
    }
  }

  /// Performs a request. Returns its result and the notifications.
  func ask(_ method: Method, _ params: String) throws(Failure) -> Exchange {
    let message = SharedBytes(copying: params.utf8)
    var out = ByteBuffer()
    service.notifications = []
    service.beginRequest()
    try service.perform(method, message, 0..<message.count, to: &out)
    let book = service.book
    try service.checkChanges()
    service.book = book
    return Exchange(
      method: method, params: SentObject(params: message, 0..<message.count),
      check: service.selfCheck, notifications: service.notifications,
      answers: [out.withUnsafeBytes { Array($0) }]
        + service.notifications.map { $0.line.withBytes { Array($0) } })
  }

  /// Finds what the last request has changed by another way, as if its parameters had been these.
  func lookAgain(_ method: Method, _ params: String) throws {
    let message = SharedBytes(copying: params.utf8)
    try service.lookAgain(method, SentObject(params: message, 0..<message.count))
  }

  /// Replaces what is remembered of earlier requests.
  func remember(_ change: (inout SecondLook) -> Void) { change(&service.selfCheck.look) }

  /// Checks answers as if they were to be sent for a request.
  func check(_ exchange: Exchange, _ answers: [[UInt8]]) throws(Failure) {
    service.selfCheck = exchange.check
    service.notifications = zip(exchange.notifications, answers.dropFirst()).map {
      ListNotification(client: $0.client, line: SharedBytes(copying: $1), request: $0.request)
    }
    let book = service.book
    defer { service.book = book }
    try service.checkSent(
      exchange.method, exchange.params, SharedBytes(copying: answers[0]), notificationsFrom: 0)
  }

  /// Performs a request like a daemon that makes an error in the result. Throws the failure.
  func refuse(_ method: Method, _ params: String) throws(Failure) {
    let message = SharedBytes(copying: params.utf8)
    var out = ByteBuffer()
    service.notifications = []
    service.beginRequest()
    try service.perform(method, message, 0..<message.count, to: &out)
    var wrong = ByteBuffer()
    wrong.append("earlier")
    // Spaces are not checked, but another bracket ends the text.
    out.withUnsafeBytes { wrong.append(UnsafeRawBufferPointer(rebasing: $0.dropLast())) }
    wrong.append("]")
    do throws(Failure) {
      try service.checkAnswers(
        method, message, 0..<message.count, result: wrong, from: 7, notificationsFrom: 0)
    } catch {
      service.rollBack()
      throw error
    }
  }

  /// Returns everything that clients can request.
  func state() -> [String] {
    var result = [answer(.getLists, "{}")]
    for name in service.store.names {
      let list = "{\"list\":\"\(String(decoding: name, as: UTF8.self))\"}"
      result.append(answer(.getSnapshot, list))
      result.append(answer(.getSelection, list))
    }
    for (name, subscriptions) in service.subscriptions.sorted(by: {
      $0.key.lexicographicallyPrecedes($1.key)
    }) {
      result.append("\(name) \(subscriptions.map { ($0.client, $0.encoding) })")
    }
    result += service.book.lists.map { "\($0) \(service.book.text(of: $0))" }
    let templates = service.book.templates.all.flatMap { list, templates in
      templates.map { "\(list ?? []) \($0.key) \($0.value)" }
    }
    return result + templates.sorted()
  }

  private func answer(_ method: Method, _ params: String) -> String {
    let message = SharedBytes(copying: params.utf8)
    var out = ByteBuffer()
    do throws(Failure) {
      try service.perform(method, message, 0..<message.count, to: &out)
      return out.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    } catch { return error.message }
  }

  /// Sets the contents of a list to those before the last request, but keeps its revision.
  func forgetEdits(of name: String) {
    let name = Array(name.utf8)
    service.store.lists[name] = service.selfCheck.listsBefore[name]
  }
}
