import JSONBytes
import JSONRPC
import ListProtocol

/// What a session keeps to, as the command line says.
package struct SessionOptions: Sendable {
  package var maxMessageBytes = FrameReader.defaultLimit
  package var historyBytes = 64 << 20

  /// How many bytes of older revisions are kept of all lists.
  package var totalHistoryBytes = 256 << 20

  /// Whether every answer is made again by plainer means before it is sent.
  package var checksAnswers = false

  /// The least grave messages for people that are told.
  package var logLevel = LogLevel.warning

  package init() {}
}

/// A client's session: frames in, replies out, and the lists in between.
///
/// It is a value that one thread touches; it has no descriptors, clocks or threads.
package struct Session: ~Copyable {
  /// What a session says of itself as `serverInfo.version`.
  package static let version = String(
    decoding: PackageResources.version_txt.dropLast(), as: UTF8.self)

  package let options: SessionOptions

  /// The replies and notifications that are to be sent.
  package var outbox = Outbox(framing: .ndjson)

  /// The code to exit with, once the session has ended.
  package private(set) var exitCode: Int?

  /// Words for people, where they cannot go to the client.
  package internal(set) var diagnostics: [String] = []

  /// The raw ids of requests that were cancelled, since they were last taken away.
  package internal(set) var cancelled: [SharedBytes] = []

  /// The client's process, which the daemon ends with.
  package internal(set) var clientProcess: Int?

  /// Where changes are written before they are answered.
  var journal: JournalSink?

  /// What the next line of the journal follows.
  package var journalChain = Journal.Chain()

  /// How many items are gone through to restore the lists from the journal as it is.
  package internal(set) var journalWork = 0

  var service: ListService
  var phase = Phase.beginning
  var trace = Trace.off

  /// Notifications that follow the reply, each the text of a message.
  var notifications: [SharedBytes] = []

  enum Phase {
    case beginning
    case initialized
    case shutDown
  }

  /// A session that nobody has spoken in yet.
  package init(_ options: SessionOptions = SessionOptions()) {
    self.options = options
    service = ListService(
      historyBytes: options.historyBytes, totalHistoryBytes: options.totalHistoryBytes)
    service.selfCheck.isOn = options.checksAnswers
    service.store.keepsTouched = options.checksAnswers
  }

  /// Chooses how replies are framed; the outbox is empty.
  package mutating func use(_ framing: Framing) {
    guard outbox.framing != framing, framing != .auto else { return }
    outbox = Outbox(framing: framing)
    service.singleLine = framing != .lsp
  }

  /// Takes a frame and leaves what is to be sent in the outbox.
  ///
  /// `isLast` says that the frame was ended by the end of input; `arrival` is how the rest of a
  /// message comes, which is passed over where it does not; `isCancelled` tells of a raw id
  /// whether its request is to be cancelled; `sendNow` sends bytes while the frame is being answered.
  package mutating func receive(
    _ frame: Frame, isLast: Bool = false, arrival: Arrival? = nil,
    isCancelled: @escaping (UnsafeRawBufferPointer) -> Bool = { _ in false },
    sendNow: @escaping (UnsafeRawBufferPointer) -> Void = { _ in }
  ) {
    let framing = outbox.framing
    service.send = { text in
      var outbox = Outbox(framing: framing)
      outbox.beginMessage()
      outbox.buffer.append(contentsOf: text)
      outbox.endMessage()
      outbox.withUnsafeBytes { sendNow($0) }
    }
    defer { service.send = { _ in } }
    switch frame {
    case .message(let message): receive(message, isLast: isLast, arrival, isCancelled)
    case .tooLarge(let bytes):
      reply(withID: nil, .messageTooLarge(limit: options.maxMessageBytes, bytes: bytes))
    case .broken(let problem, _):
      reply(withID: nil, .badHeader(problem))
    case .unterminated:
      end(1, "the input ended inside a message")
    }
  }

  /// Ends the session where the input has ended.
  package mutating func finish() {
    if exitCode == nil { exitCode = 0 }
  }

  /// Takes the words for people away.
  package mutating func takeDiagnostics() -> [String] {
    defer { diagnostics = [] }
    return diagnostics
  }

  /// Takes away about how many bytes requests have left free that the next ones may have no use for.
  package mutating func takeFreedMemory() -> Int {
    defer { service.freedMemory = 0 }
    return service.freedMemory
  }

  /// Takes the ids of requests that were cancelled away.
  package mutating func takeCancelled() -> [SharedBytes] {
    defer { cancelled = [] }
    return cancelled
  }

  mutating func end(_ code: Int, _ words: String? = nil) {
    if exitCode == nil { exitCode = code }
    if let words { diagnostics.append(words) }
  }

  private mutating func receive(
    _ message: SharedBytes, isLast: Bool, _ arrival: Arrival?,
    _ isCancelled: @escaping (UnsafeRawBufferPointer) -> Bool
  ) {
    defer { withExtendedLifetime(message) {} }
    let content: Message
    let ahead = readAhead(message, arrival, isCancelled)
    if let arrival, !arrival.isWhole(message) { return }
    do {
      if let single = ahead {
        content = single
      } else {
        content = try Message.read(message.bytes)
      }
    } catch {
      if isLast, error.problem == .unexpectedEnd {
        end(1, "the input ended inside a message")
      } else {
        reply(withID: nil, .parseError(error, isLine: service.singleLine))
      }
      return
    }
    switch content {
    case .emptyBatch: reply(withID: nil, .emptyBatch)
    case .single(let envelope):
      outbox.beginMessage()
      if answer(envelope, message, isCancelled) {
        outbox.endMessage()
      } else {
        outbox.discardMessage()
      }
    case .batch(let batch): answer(batch, message, isCancelled)
    }
    sendNotifications()
    service.store.sweepIfGrown()
  }

  /// Reads a message in one pass where it is a single request with large parameters; nil where it is
  /// not, or anything is wrong with it.
  private mutating func readAhead(
    _ message: SharedBytes, _ arrival: Arrival?,
    _ isCancelled: @escaping (UnsafeRawBufferPointer) -> Bool
  ) -> Message? {
    defer { service.isCancelled = { false } }
    return try? Message.read(message.bytes, arrival) { method, id, reader in
      service.isCancelled = {
        id.map { isCancelled(UnsafeRawBufferPointer(rebasing: message.bytes[$0])) } ?? false
      }
      return service.readAhead(method, message, &reader, arrival)
    }
  }

  private mutating func sendNotifications() {
    for notification in service.notifications + notifications {
      outbox.beginMessage()
      notification.withBytes { outbox.buffer.append($0) }
      outbox.endMessage()
    }
    service.notifications = []
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
    outbox.buffer.append(",\"error\":")
    failure.write(to: &outbox.buffer)
    outbox.buffer.append("}")
  }

  /// Appends a reply up to the id, which is echoed byte for byte.
  mutating func appendOpening(id: UnsafeRawBufferPointer?) {
    outbox.buffer.append("{\"jsonrpc\":\"2.0\",\"id\":")
    if let id { outbox.buffer.append(id) } else { outbox.buffer.append("null") }
  }
}
