import JSONBytes
import ListDiff
import ListState

extension ListService {
  /// Notes what an event is to be checked against.
  mutating func noteForCheck(_ event: ListEvent) {
    switch event {
    case .changed(let change, _): selfCheck.note(change)
    case .edited(let change): selfCheck.note(change, to: store.listOrNew(change.name).snapshot)
    case .selected, .rendered, .expanded, .removed: break
    }
  }

  /// Checks what a request has changed in every format, the lists that it has touched, and then its
  /// result, which is in a buffer from `start` on, and the notifications from an index on as they are
  /// sent.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the size of the lists that were touched and of what they
  ///   are made of, for each answer.
  /// - Throws: -32603 if an answer is wrong.
  package mutating func checkAnswers(
    _ method: Method, _ message: SharedBytes, _ params: Range<Int>?,
    result: borrowing ByteBuffer, from start: Int, notificationsFrom index: Int
  ) throws(Failure) {
    // What is rendered here is sent to nobody, nor what is missing in it.
    let (kept, isAsked) = (book, isCancelled)
    isCancelled = { false }
    defer {
      selfCheck.forget()
      book = kept
      isCancelled = isAsked
    }
    let asked = SentObject(asked: message, params)
    try checkTold()
    let answer = result.withUnsafeBytes {
      SharedBytes(copying: UnsafeRawBufferPointer(rebasing: $0[start...]))
    }
    try checkSent(method, asked, answer, notificationsFrom: index)
  }

  /// Checks a result and the notifications from an index on as they are sent.
  mutating func checkSent(
    _ method: Method, _ asked: SentObject, _ answer: SharedBytes, notificationsFrom index: Int
  ) throws(Failure) {
    try check(answer) { service, value throws(BrokenLaw) in
      try service.checkTouched(method, asked)
      try service.check(result: value, of: method, asked)
    }
    // By client and list the last notification of a change, and whether it is the only one.
    var last: [[UInt8]: (index: Int, isOnly: Bool)] = [:]
    let sent = notifications[index...].map { SentNotification($0) }
    for (place, notification) in sent.enumerated() where notification.isChange {
      last[notification.key] = (place, last[notification.key] == nil)
    }
    for (place, notification) in sent.enumerated() {
      let known = last[notification.key]
      try check(notification.message) { service, _ throws(BrokenLaw) in
        try service.check(
          notification, isLast: known?.index == place, isOnly: known?.isOnly ?? true)
      }
    }
    try check(answer) { service, _ throws(BrokenLaw) in
      // Who has just subscribed knows.
      for told in service.selfCheck.told where told.baseRevision != told.revision {
        guard method != .subscribe, let name = told.list else { continue }
        for subscriber in service.subscriptions[name] ?? [] where subscriber.behind == nil {
          guard last[SentNotification.key(subscriber.client, name)] != nil else {
            throw BrokenLaw(words: "a subscriber does not hear of a change")
          }
        }
      }
    }
  }

  /// Checks a message; a failure has it in its data.
  mutating func check(
    _ message: SharedBytes, _ body: (inout ListService, Value) throws(BrokenLaw) -> Void
  ) throws(Failure) {
    do throws(BrokenLaw) {
      guard message.isJSON else { throw BrokenLaw(words: "it is not JSON") }
      try body(&self, Value(message: message, range: 0..<message.count, pointer: ""))
    } catch {
      throw .brokenLaw(error, message)
    }
  }

  private mutating func check(
    result value: Value, of method: Method, _ asked: SentObject
  ) throws(BrokenLaw) {
    let isSilent = isSubscribed(asked.list ?? []) && method != .subscribe && method != .diff
    var options = TextOptions()
    options.spans = asked["spans"]?.boolean ?? false
    options.selectedLines = asked["selectedLines"]?.boolean ?? false
    options.unit = offsetUnit
    let form = Subscription.Form(
      format: Format(rawValue: asked.text("format")) ?? (isSilent ? .none : .stages),
      content: asked["content"]?.boolean ?? (method == .subscribe), singleLine: singleLine,
      maxOps: asked["maxOps"]?.integer ?? .max, text: options)
    switch method {
    case .getSnapshot, .getSelection, .getLists, .getText, .locate:
      return try check(reading: value, of: method, asked, options)
    case .registerTemplates, .unsubscribe, .removeList:
      guard value.kind == .null else { throw BrokenLaw(words: "a result that is not null") }
      return
    default: break
    }
    guard let result = SentObject(value), result.list == asked.list else {
      throw BrokenLaw(words: "no list")
    }
    switch method {
    case .select:
      let format = asked["format"] == nil && !isSilent ? "ops" : form.format.rawValue
      guard result.text("format") == format, (result["ops"] != nil) == (format == "ops") else {
        throw BrokenLaw(words: "another format")
      }
      try check(selection: result, form)
    case .subscribe where form.format == .textEdits:
      try check(wholeText: result, asked, options)
      try result.check(ObviousMarks(store.listOrNew(result.list ?? [])))
    case .subscribe where result["snapshot"] != nil: try check(opening: result)
    default: try check(change: result, form, isSince: method == .subscribe)
    }
  }

  mutating func check(
    _ notification: SentNotification, isLast: Bool, isOnly: Bool
  ) throws(BrokenLaw) {
    let (params, name) = (notification.params, notification.list)
    guard notification.isMessage, let params,
      let form = subscriptions[name]?.first(where: { $0.client == notification.client })?.form
    else { throw BrokenLaw(words: "nobody listens to the list") }
    guard !form.singleLine || !notification.message.withBytes({ $0.contains(0x0A) }) else {
      throw BrokenLaw(words: "it is not one line")
    }
    let isCause = notification.client == client && notification.method != "didRemove"
    let cause = isCause ? request.map { $0.withBytes { Array($0) } } : nil
    guard params["request"].map({ Array($0.bytes) }) == cause else {
      throw BrokenLaw(words: "the request is another one")
    }
    switch notification.method {
    case "didChange": try check(change: params, form, isLast: isLast, isOnly: isOnly)
    case "didSelect": try check(selection: params, form, isLast: isLast, isOnly: isOnly)
    case "didExpand": try check(expanded: params, in: name)
    case "didRemove":
      guard selfCheck.listsBefore[name] != nil, !store.contains(name) else {
        throw BrokenLaw(words: "the list was not removed")
      }
    default: throw BrokenLaw(words: "an unknown notification")
    }
  }
}

extension SharedBytes {
  /// Whether the bytes are a JSON text.
  fileprivate var isJSON: Bool {
    withBytes { bytes in
      var reader = JSONReader(bytes)
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

  /// Whether it is a message at all.
  let isMessage: Bool

  init(_ notification: ListNotification) {
    var out = ByteBuffer()
    notification.write(to: &out)
    client = notification.client
    message = out.shared()
    let value = Value(message: message, range: 0..<message.count, pointer: "")
    let object = message.isJSON ? SentObject(value) : nil
    method = object?.text("method") ?? ""
    params = SentObject(object?["params"])
    list = params?.list ?? []
    isMessage = object?.text("jsonrpc") == "2.0"
  }

  /// Whether it reports a change of a list or its selection.
  var isChange: Bool { method == "didChange" || method == "didSelect" }

  /// What is the same for notifications of one list to one client.
  var key: [UInt8] { Self.key(client, list) }

  static func key(_ client: Int, _ list: [UInt8]) -> [UInt8] { Array("\(client)/".utf8) + list }
}

extension Failure {
  /// An answer that would have been wrong, as it would have been sent.
  fileprivate static func brokenLaw(_ law: BrokenLaw, _ answer: SharedBytes) -> Failure {
    var data = FailureData()
    data.add("law", law.words)
    data.add("answer") { buffer in
      answer.withBytes { bytes in buffer.append(string: bytes) }
    }
    return Failure(
      .internalError, "an answer was wrong and is not sent: \(law.words)", data: data.bytes)
  }
}
