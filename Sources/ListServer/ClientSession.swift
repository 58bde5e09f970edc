import ByteBuffers
import EmbeddedTexts
import JSONBytes
import JSONRPC
import ListProtocol

/// A client's session on lists that it may share with others: frames in, replies and notifications
/// out.
///
/// A session is a value that one thread uses; it has no descriptors, clocks or threads.
package struct ClientSession: ~Copyable {
  /// The version of listd, which is `serverInfo.version`.
  package static let version = String(
    decoding: versionText().bytes.dropLast(), as: UTF8.self)

  package let options: SessionOptions

  /// The number of the client, which no other client of the same lists ever has.
  package var number: Int

  /// The replies and notifications to be sent.
  package var outbox = Outbox(framing: .ndjson)

  /// The exit code, once the session has ended.
  package private(set) var exitCode: Int?

  /// Messages for people that cannot be sent to the client.
  package internal(set) var diagnostics: [String] = []

  /// The raw ids of requests that were cancelled since they were last taken.
  package internal(set) var cancelled: [SharedBytes] = []

  /// The client's process, whose end ends the daemon.
  package internal(set) var clientProcess: Int?

  var phase = Phase.beginning
  var trace = Trace.off

  /// The client's unit of offsets in texts.
  var positionEncoding = PositionEncoding.utf16

  /// Notifications that follow the reply, as the text of messages.
  var notifications: [SharedBytes] = []

  enum Phase {
    case beginning
    case initialized
    case shutDown
  }

  /// Creates a session before its first message.
  package init(_ options: SessionOptions = SessionOptions(), number: Int = 1) {
    self.options = options
    self.number = number
  }

  /// Chooses the framing of replies. The outbox must be empty.
  package mutating func use(_ framing: Framing) {
    guard outbox.framing != framing, framing != .auto else { return }
    outbox = Outbox(framing: framing)
  }

  /// Processes a frame and appends the messages for the client to the outbox. Notifications for
  /// other clients are kept in `lists`.
  ///
  /// `isLast` if the end of input ended the frame; `arrival` receives the rest of the message,
  /// which is ignored if that never comes; `isCancelled` reports whether the request with a raw id
  /// is to be cancelled; `sendNow` sends bytes while the frame is being answered.
  package mutating func receive(
    _ frame: Frame, on lists: inout SharedLists, isLast: Bool = false,
    arrival: PartialMessage? = nil,
    isCancelled: @escaping (UnsafeRawBufferPointer) -> Bool = { _ in false },
    sendNow: @escaping (UnsafeRawBufferPointer) -> Void = { _ in }
  ) {
    lists.service.context.beginMessage(
      of: number, framing: outbox.framing, positionEncoding,
      takesLogs: phase == .initialized && options.logLevel.rawValue >= LogLevel.warning.rawValue,
      isCancelled: isCancelled,
      sendNow: sendNow)
    defer { lists.service.context.endMessage() }
    _ = lists.service.takeFolderOutcomes()
    switch frame {
    case .message(let message): receive(message, &lists, isLast: isLast, arrival)
    case .tooLarge(let bytes):
      reply(withID: nil, .messageTooLarge(limit: options.maxMessageBytes, bytes: bytes))
    case .broken(let problem, _):
      reply(withID: nil, .badHeader(problem))
    case .unterminated:
      end(1, "the input ended inside a message")
    }
  }

  /// Ends the session at the end of input.
  package mutating func finish() {
    if exitCode == nil { exitCode = 0 }
  }

  /// Removes and returns the messages for people.
  package mutating func takeDiagnostics() -> [String] {
    defer { diagnostics = [] }
    return diagnostics
  }

  /// Removes and returns the ids of requests that were cancelled.
  package mutating func takeCancelled() -> [SharedBytes] {
    defer { cancelled = [] }
    return cancelled
  }

  mutating func end(_ code: Int, _ words: String? = nil) {
    if exitCode == nil { exitCode = code }
    if let words { diagnostics.append(words) }
  }

  private mutating func receive(
    _ message: SharedBytes, _ lists: inout SharedLists, isLast: Bool, _ arrival: PartialMessage?
  ) {
    defer { withExtendedLifetime(message) {} }
    lists.service.context.beginRequests(of: message)
    let content: Message
    var params = Params()
    do {
      content = try lists.read(message, arrival, &params)
      if let arrival, !arrival.isWhole(message) { return }
    } catch {
      if let arrival, !arrival.isWhole(message) { return }
      if isLast, error.problem == .unexpectedEnd {
        end(1, "the input ended inside a message")
      } else {
        reply(withID: nil, .parseError(error, isLine: outbox.framing != .lsp))
      }
      return
    }
    switch content {
    case .emptyBatch: reply(withID: nil, .emptyBatch)
    case .single(let envelope):
      outbox.beginMessage()
      if answer(envelope, message, &params, &lists) {
        outbox.endMessage()
      } else {
        outbox.discardMessage()
      }
    case .batch(let batch): answer(batch, message, &lists)
    }
    sendNotifications(of: &lists)
    lists.service.sweepIfGrown()
  }

  /// Sends a notification that another client has caused, or one after a pause.
  package mutating func send(_ notification: ListNotification) {
    outbox.beginMessage()
    notification.write(to: &outbox.buffer)
    outbox.endMessage()
  }

  private mutating func sendNotifications(of lists: inout SharedLists) {
    for notification in lists.takeNotifications(of: number) { send(notification) }
    for notification in notifications {
      outbox.beginMessage()
      notification.withBytes { outbox.buffer.append($0) }
      outbox.endMessage()
    }
    notifications = []
  }

  private mutating func reply(withID id: UnsafeRawBufferPointer?, _ failure: Failure) {
    outbox.beginMessage()
    append(failure, id: id)
    outbox.endMessage()
  }

  /// Appends an error reply.
  mutating func append(_ failure: Failure, id: UnsafeRawBufferPointer?) {
    appendOpening(id: id)
    outbox.buffer.append(member: "error")
    failure.write(to: &outbox.buffer)
    outbox.buffer.append("}")
  }

  /// Appends a reply up to the id, which is copied byte for byte.
  mutating func appendOpening(id: UnsafeRawBufferPointer?) {
    outbox.buffer.append("{\"jsonrpc\":\"2.0\",\"id\":")
    if let id { outbox.buffer.append(id) } else { outbox.buffer.append("null") }
  }
}
