import ByteBuffers
import JSONBytes
import JSONRPC
import ListProtocol

/// The requests and notifications about the session itself.
private enum SessionMethod: String, CaseIterable {
  case initialize
  case initialized
  case shutdown
  case exit
  case discover = "rpc.discover"
  case setTrace = "$/setTrace"
  case cancelRequest = "$/cancelRequest"

  static let table = CaseTable(of: SessionMethod.self)

  /// Whether the method is a notification.
  var isNotification: Bool {
    switch self {
    case .initialize, .shutdown, .discover: false
    case .initialized, .exit, .setTrace, .cancelRequest: true
    }
  }
}

extension ClientSession {
  /// Answers one message. Returns false if it needs no reply; then nothing was appended.
  mutating func answer(
    _ envelope: Envelope, _ message: SharedBytes, _ params: inout Params,
    _ lists: inout SharedLists
  ) -> Bool {
    let bytes = message.bytes
    let id = envelope.id.map { UnsafeRawBufferPointer(rebasing: bytes[$0]) }
    let context = lists.service.context
    context.beginRequest(id: envelope.id)
    let isRequest: Bool
    switch envelope.kind {
    case .response: return false
    case .invalid(let problem):
      if problem == .params, id == nil { return false }
      if problem == .params, let id = context.id, context.isCancelled {
        cancelled.append(id)
        id.withBytes { append(.cancelled, id: $0) }
      } else {
        append(.invalidRequest(problem), id: id)
      }
      return true
    case .request: isRequest = true
    case .notification: isRequest = false
    }
    let start = outbox.buffer.count
    appendOpening(id: id)
    outbox.buffer.append(member: "result")
    do throws(Failure) {
      if context.isCancelled { throw .cancelled }
      try perform(envelope, message, &params, on: &lists, isRequest: isRequest)
      outbox.buffer.append("}")
    } catch {
      outbox.buffer.truncate(to: start)
      if error.code == .requestCancelled, let id = context.id { cancelled.append(id) }
      if isRequest { append(error, id: id) } else { log(.warning, error.message) }
    }
    for warning in lists.service.takeWarnings() { log(.warning, warning) }
    if trace != .off { logTrace(envelope, message) }
    if !isRequest { outbox.buffer.truncate(to: start) }
    return isRequest
  }

  private mutating func perform(
    _ envelope: Envelope, _ message: SharedBytes, _ params: inout Params,
    on lists: inout SharedLists, isRequest: Bool
  ) throws(Failure) {
    let method = self.method(of: envelope, message, in: Method.table)
    if method == nil || method == .didFeed && !lists.service.isFeed(number),
      let method = self.method(of: envelope, message, in: SessionMethod.table)
    {
      return try perform(method, envelope, message, isRequest: isRequest)
    }
    if phase == .shutDown {
      if isRequest { throw .wrongPhase("the session was shut down") }
      return
    }
    guard let method, method != .didFeed || lists.service.isFeed(number) else {
      if isRequest {
        let name = name(of: envelope, message)
        let known = Method.ofClients.map(\.rawValue) + SessionMethod.allCases.map(\.rawValue)
        throw .methodNotFound(name, nearest: name.nearest(among: known))
      }
      return
    }
    try lists.perform(method, message, envelope.params, &params, to: &outbox.buffer)
  }

  private mutating func perform(
    _ method: SessionMethod, _ envelope: Envelope, _ message: SharedBytes, isRequest: Bool
  ) throws(Failure) {
    if phase == .shutDown, method != .exit {
      if isRequest { throw .wrongPhase("the session was shut down") }
      return
    }
    if isRequest, method.isNotification {
      if method.rawValue.hasPrefix("$/") { throw .methodNotFound(method.rawValue, nearest: nil) }
      throw .wrongPhase("\(method.rawValue) is a notification and takes no id")
    }
    switch method {
    case .initialize:
      guard phase == .beginning else { throw .wrongPhase("the session is initialized already") }
      let request = try Initialize(message, envelope.params)
      phase = .initialized
      trace = request.trace
      positionEncoding = request.offsetUnit
      clientProcess = request.processID ?? clientProcess
      Initialize.appendResult(
        version: Self.version, maxMessageBytes: options.maxMessageBytes, positionEncoding,
        to: &outbox.buffer)
    case .shutdown:
      try NoParams.check(message, envelope.params)
      phase = .shutDown
      outbox.buffer.append("null")
    case .discover:
      try NoParams.check(message, envelope.params)
      outbox.buffer.append(contentsOf: ProtocolDocument.line)
    case .exit: end(phase == .shutDown ? 0 : 1)
    case .setTrace: trace = try Trace(message, envelope.params)
    // A cancellation has taken effect through `isCancelled` before; answered requests are not
    // cancelled.
    case .initialized, .cancelRequest: break
    }
  }

  private func method<Known>(
    of envelope: Envelope, _ message: SharedBytes, in table: borrowing CaseTable<Known>
  ) -> Known? {
    envelope.method.flatMap { table.find($0, in: JSONReader(message.bytes)) }
  }

  /// Returns the name of the method that a message calls; empty if there is none.
  func name(of envelope: Envelope, _ message: SharedBytes) -> String {
    guard let method = envelope.method else { return "" }
    var name: [UInt8] = []
    JSONReader(message.bytes).decode(method, into: &name)
    return String(decoding: name, as: UTF8.self)
  }
}
