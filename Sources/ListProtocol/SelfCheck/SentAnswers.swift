import ByteBuffers
import JSONBytes
import ListDiff
import ListState

extension ListService {
  /// Records the change of an event.
  mutating func recordForCheck(_ event: ListEvent) {
    switch event {
    case .changed(let change, _):
      let before = selfCheck.checked.last { $0.list == change.name }?.new
      let first = selfCheck.listsBefore[change.name] ?? NamedList(name: change.name)
      selfCheck.record(
        change, from: before ?? first.shownItems,
        to: store.listOrNew(change.name).shownItems)
    case .selected, .rendered, .expanded, .removed, .fed: break
    }
  }

  /// Checks the changes of a request in every format, the modified lists, the result, which is in a
  /// buffer from `start` on, and the notifications from an index on, as they are sent.
  ///
  /// - Complexity: O(*n* log *n*) for each answer, where *n* is the size of the modified lists and
  ///   the lists derived from them.
  ///
  /// - Throws: -32603 if an answer is wrong.
  package mutating func checkAnswers(
    _ method: Method, _ message: SharedBytes, _ params: Range<Int>?,
    result: borrowing ByteBuffer, from start: Int, notificationsFrom index: Int
  ) throws(Failure) {
    // Texts that are rendered here are not sent, and neither are their warnings.
    let kept = book
    context.isCancellable = false
    defer {
      selfCheck.forget()
      book = kept
      context.isCancellable = true
    }
    let requestParams = SentObject(params: message, params)
    try checkChanges()
    let answer = result.withUnsafeBytes {
      SharedBytes(copying: UnsafeRawBufferPointer(rebasing: $0[start...]))
    }
    try checkSent(method, requestParams, answer, notificationsFrom: index)
    try check(answer) { service, _ throws(InvariantViolation) in
      try service.lookAgain(method, requestParams)
    }
  }

  /// Checks a result, and the notifications from an index on, as they are sent.
  mutating func checkSent(
    _ method: Method, _ requestParams: SentObject, _ answer: SharedBytes,
    notificationsFrom index: Int
  ) throws(Failure) {
    try check(answer) { service, value throws(InvariantViolation) in
      try service.checkTouched(method, requestParams)
      try service.check(result: value, of: method, requestParams)
    }
    // The last notification of a change for each client and list, and whether it is the only one.
    var last: [[UInt8]: (index: Int, isOnly: Bool)] = [:]
    let sent = notifications[index...].map { SentNotification($0) }
    for (index, notification) in sent.enumerated() where notification.isChange {
      last[notification.key] = (index, last[notification.key] == nil)
    }
    for (index, notification) in sent.enumerated() {
      let known = last[notification.key]
      try check(notification.message) { service, _ throws(InvariantViolation) in
        try service.check(
          notification, isLast: known?.index == index, isOnly: known?.isOnly ?? true)
      }
    }
    try check(answer) { service, _ throws(InvariantViolation) in
      // The answer to `subscribe` has the change already.
      for checked in service.selfCheck.checked where checked.baseRevision != checked.revision {
        guard method != .subscribe, let name = checked.list else { continue }
        for subscriber in service.subscriptions[name] ?? [] where subscriber.paused == nil {
          try expect(
            last[SentNotification.key(subscriber.client, name)] != nil,
            "a subscriber is not sent a change")
        }
      }
    }
  }

  /// Checks a message. A failure has the message in its data.
  mutating func check(
    _ message: SharedBytes, _ body: (inout ListService, Value) throws(InvariantViolation) -> Void
  ) throws(Failure) {
    do throws(InvariantViolation) {
      try expect(message.isJSON, "it is not JSON")
      try body(&self, Value(message))
    } catch {
      // The answer as it would have been sent.
      throw .invariantViolation(error, ["answer": .name(message.withBytes { Array($0) })])
    }
  }

  private mutating func check(
    result value: Value, of method: Method, _ requestParams: SentObject
  ) throws(InvariantViolation) {
    let isSilent = isSubscribed(requestParams.list ?? []) && method != .subscribe && method != .diff
    let encoding: ChangeEncoding
    do throws(Failure) {
      let params = try requestParams.value.map { value throws(Failure) in try Params(value) }
      encoding = try ChangeEncoding(
        params ?? Params(), context, format: isSilent ? .none : .stages,
        content: method == .subscribe ? .new : .none)
    } catch { throw InvariantViolation("parameters that cannot be read") }
    switch method {
    case .getSnapshot, .getSelection, .getLists, .getText, .locate:
      return try check(reading: value, of: method, requestParams, encoding.text)
    case .registerTemplates, .unsubscribe, .removeList, .didFeed:
      try expect(value.kind == .null, "a result that is not null")
      return
    case .editSnapshot where requestParams["dryRun"]?.boolean == true: return
    default: break
    }
    guard let result = SentObject(value), result.list == requestParams.list else {
      throw InvariantViolation("no list")
    }
    switch method {
    case .feed: try result.check("revision", is: store.peek(result.list ?? [])?.revision ?? 0)
    case .select:
      let format = requestParams["format"] == nil && !isSilent ? "ops" : encoding.format.rawValue
      try expect(
        result.text("format") == format && (result["ops"] != nil) == (format == "ops"),
        "another format")
      try check(selection: result, encoding)
    case .subscribe where encoding.format == .textEdits:
      try check(wholeText: result, requestParams, encoding.text)
      try result.check(ReferenceMarks(store.listOrNew(result.list ?? [])))
    case .subscribe where result["snapshot"] != nil: try check(opening: result, encoding)
    default: try check(change: result, encoding, isSince: method == .subscribe)
    }
  }

  mutating func check(
    _ notification: SentNotification, isLast: Bool, isOnly: Bool
  ) throws(InvariantViolation) {
    if notification.method == "window/logMessage" { return }
    let (params, name) = (notification.params, notification.list)
    guard notification.isMessage, let params,
      let encoding = subscriptions[name]?.first(where: { $0.client == notification.client })?
        .encoding
    else { throw InvariantViolation("the client has not subscribed to the list") }
    try expect(
      !encoding.form.singleLine || !notification.message.withBytes({ $0.contains(0x0A) }),
      "it is not one line")
    let isCause = notification.client == context.client && notification.method != "didRemove"
    let cause = isCause ? context.id.map { $0.withBytes { Array($0) } } : nil
    try expect(params["request"].map({ Array($0.bytes) }) == cause, "the request is another one")
    switch notification.method {
    case "didChange": try check(change: params, encoding, isLast: isLast, isOnly: isOnly)
    case "didSelect": try check(selection: params, encoding, isLast: isLast, isOnly: isOnly)
    case "didExpand": try check(expanded: params, in: name)
    case "didFeed":
      try expect(params["state"] != nil && fed[name] != nil, "the list has no feed")
    case "didRemove":
      try expect(
        selfCheck.listsBefore[name] != nil && !store.contains(name), "the list was not removed")
    default: throw InvariantViolation("an unknown notification")
    }
  }
}

extension SharedBytes {
  /// Whether the bytes are a JSON text.
  fileprivate var isJSON: Bool {
    withBytes { bytes in
      var reader = JSONReader(bytes, depth: Value.depth)
      do {
        _ = try reader.skip()
        try reader.end()
        return true
      } catch { return false }
    }
  }
}

/// A notification as it is sent.
struct SentNotification {
  let client: Int
  let message: SharedBytes
  let method: String
  let params: SentObject?
  let list: [UInt8]

  /// Whether it is a valid message.
  let isMessage: Bool

  init(_ notification: ListNotification) {
    var out = ByteBuffer()
    notification.write(to: &out)
    client = notification.client
    message = out.shared()
    let object = message.isJSON ? SentObject(Value(message)) : nil
    method = object?.text("method") ?? ""
    params = SentObject(object?["params"])
    list = params?.list ?? []
    isMessage = object?.text("jsonrpc") == "2.0"
  }

  /// Whether it reports a change of a list or its selection.
  var isChange: Bool { method == "didChange" || method == "didSelect" }

  /// A key that notifications of one list to one client have in common.
  var key: [UInt8] { Self.key(client, list) }

  static func key(_ client: Int, _ list: [UInt8]) -> [UInt8] { Array("\(client)/".utf8) + list }
}
