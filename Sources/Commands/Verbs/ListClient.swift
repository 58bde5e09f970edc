import ByteBuffers
import JSONBytes
import JSONRPC

/// A client of a daemon that listens at a socket.
package struct ListClient: ~Copyable {
  private let path: String
  private let socket: Descriptor
  private var reader = FrameReader(framing: .lsp, limit: Int(UInt32.max))
  private var lastID = 0

  /// Messages that arrived while a reply was awaited.
  private var waiting: [SharedBytes] = []

  /// The longest message that the daemon accepts, in bytes.
  private var maxMessageBytes = Int.max

  private static let variable = "LISTD_SOCKET"

  package static let option = CommandHelp.Option(
    "--socket", "PATH", "the socket of the daemon ($\(variable), or that of the user)")
  package static let start = CommandHelp.Option("--start", "start the daemon if none listens there")

  /// The path that the environment names, or that of the user's daemon.
  ///
  /// - Throws: If there is neither.
  package static func defaultPath(_ option: String = option.name + " ") throws(CommandProblem)
    -> String
  {
    func value(_ name: String) -> String? {
      getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
    if let path = value(variable) { return path }
    if let folder = value("XDG_RUNTIME_DIR") { return folder + "/listd.socket" }
    throw CommandProblem(
      words: "name the daemon's socket: \(option)PATH, $\(variable), or $XDG_RUNTIME_DIR")
  }

  /// Connects to the daemon at a path or the default path; `starts` one there if none listens.
  ///
  /// - Throws: If there is no path, no daemon listens there, or its version differs.
  static func connected(
    to path: String?, starts: Bool = false
  ) throws(CommandProblem) -> ListClient {
    signal(SIGPIPE, SIG_IGN)
    let path = if let path, !path.isEmpty { path } else { try defaultPath() }
    let socket = try SocketPath(path).connected(starting: starts ? [] : nil)
    var client = ListClient(path, socket)
    try client.initialize()
    return client
  }

  private init(_ path: String, _ socket: Descriptor) {
    self.path = path
    self.socket = socket
  }

  private mutating func initialize() throws(CommandProblem) {
    let path = path
    let reply = try call("initialize") { params in
      params.append("\"clientInfo\":{\"name\":\"listd\",\"version\":")
      params.append(string: OwnDaemon.shared.version)
      params.append("},\"protocolVersion\":")
      params.append(decimal: OwnDaemon.shared.protocolVersion)
    } failing: {
      "the daemon at \(path) does not fit \(OwnDaemon.shared.title): \($0)"
    }
    let greeting = DaemonGreeting(reply)
    guard greeting.protocolVersion == OwnDaemon.shared.protocolVersion else {
      throw CommandProblem(words: greeting.difference(at: path), exitCode: 1)
    }
    maxMessageBytes = reply.integer("capabilities.maxMessageBytes") ?? .max
  }

  /// Sends a request, waits for its reply, and returns its result.
  ///
  /// - Throws: The daemon's message, changed by `failing`, if the request fails; or an error if the
  ///   connection has ended.
  mutating func call(
    _ method: StaticString, _ params: (inout ByteBuffer) throws(CommandProblem) -> Void,
    failing: (String) -> String = { $0 }
  ) throws(CommandProblem) -> MessagePart {
    let id = try send(method, params, failing: failing)
    while true {
      let (message, envelope) = try receive()
      switch Self.incoming(message, envelope) {
      case .reply(id, let result): return result
      case .failure(id, let error):
        throw CommandProblem(words: failing(Self.words(of: error)), exitCode: 1)
      default: enqueue(message, envelope)
      }
    }
  }

  /// Sends a request without waiting for its reply. Returns its number.
  ///
  /// - Throws: An error, changed by `failing`, if the message is too long.
  mutating func send(
    _ method: StaticString, _ params: (inout ByteBuffer) throws(CommandProblem) -> Void,
    failing: (String) -> String = { $0 }
  ) throws(CommandProblem) -> Int {
    lastID += 1
    var body = ByteBuffer()
    body.append("{\"jsonrpc\":\"2.0\",\"id\":")
    body.append(decimal: lastID)
    body.append(",\"method\":\"")
    body.append(method)
    body.append("\",\"params\":{")
    try params(&body)
    body.append("}}")
    guard body.count <= maxMessageBytes else {
      throw CommandProblem(
        words: failing(
          "the message has \(body.count) bytes, and the daemon takes at most \(maxMessageBytes)"),
        exitCode: 1)
    }
    var header = ByteBuffer()
    header.append("Content-Length: ")
    header.append(decimal: body.count)
    header.append("\r\n\r\n")
    // If writing fails, the daemon's error or the end of the connection is read later.
    if header.withUnsafeBytes({ socket.write($0) }) {
      _ = body.withUnsafeBytes { socket.write($0) }
    }
    return lastID
  }

  /// What the message of a failed reply says.
  static func words(of error: MessagePart) -> String {
    error.text("message") ?? "it gives no reason"
  }

  /// A message of the daemon.
  enum Incoming {
    case notification(method: String, params: MessagePart)
    case reply(id: Int, MessagePart)
    case failure(id: Int, MessagePart)
  }

  private static func incoming(_ message: SharedBytes, _ envelope: Envelope) -> Incoming? {
    if let method = envelope.method, let params = envelope.params {
      let name = String(decoding: message.bytes[method.range], as: UTF8.self)
      return .notification(method: name, params: MessagePart(message, params))
    }
    guard let id = envelope.id.flatMap({ Int(MessagePart(message, $0).plain) }) else { return nil }
    if let result = envelope.result { return .reply(id: id, MessagePart(message, result)) }
    return envelope.error.map { .failure(id: id, MessagePart(message, $0)) }
  }

  /// The descriptor of the connection.
  var number: Int32 { socket.number }

  /// Returns the next notification and its params, without waiting; nil if there is none.
  ///
  /// - Throws: If the connection has ended.
  mutating func nextNotification() throws(CommandProblem) -> (method: String, params: MessagePart)?
  {
    while let message = try nextMessage() {
      if case .notification(let method, let params) = message { return (method, params) }
    }
    return nil
  }

  /// Returns the next notification or reply, without waiting; nil if there is none.
  ///
  /// - Throws: If the connection has ended.
  mutating func nextMessage() throws(CommandProblem) -> Incoming? {
    while true {
      if !waiting.isEmpty {
        let message = waiting.removeFirst()
        guard let incoming = Self.incoming(message, try Self.envelope(of: message, path)) else {
          continue
        }
        return incoming
      }
      guard case .message(let message)? = reader.next() else {
        guard try read(waits: false) else { return nil }
        continue
      }
      enqueue(message, try Self.envelope(of: message, path))
    }
  }

  /// Ends the connection.
  mutating func close() { _ = System.closeFile(socket.number) }

  /// Waits until the daemon has sent something, standard output has no reader, a signal has
  /// arrived, or the time limit has passed.
  func wait(_ limit: Duration? = nil) -> Waiting.Event { Waiting.wait(for: [socket.number], limit) }

  /// Queues a message. Log messages are reported at once.
  private mutating func enqueue(_ message: SharedBytes, _ envelope: Envelope) {
    guard let method = envelope.method, let params = envelope.params,
      JSONReader(message.bytes).matches(method, "window/logMessage")
    else { return waiting.append(message) }
    if let words = MessagePart(message, params).text("message") { Descriptor.report(words) }
  }

  private mutating func receive() throws(CommandProblem) -> (SharedBytes, Envelope) {
    while true {
      if case .message(let message)? = reader.next() {
        return (message, try Self.envelope(of: message, path))
      }
      _ = try read(waits: true)
    }
  }

  private static func envelope(
    of message: SharedBytes, _ path: String
  ) throws(CommandProblem) -> Envelope {
    guard case .single(let envelope)? = try? Message.read(message.bytes) else {
      throw CommandProblem(words: "the program that listens at \(path) is not listd", exitCode: 1)
    }
    return envelope
  }

  /// Reads the available bytes. Returns false if there are none.
  private mutating func read(waits: Bool) throws(CommandProblem) -> Bool {
    let socket = socket
    var count = 0
    _ = reader.withTail(minimum: 1 << 16) { tail in
      count = waits ? socket.read(into: tail) : socket.readNow(into: tail)
      return max(0, count)
    }
    if count > 0 { return true }
    if count < 0, !waits, errno == EAGAIN || errno == EINTR { return false }
    throw CommandProblem(words: "the daemon at \(path) has closed the connection", exitCode: 1)
  }
}
