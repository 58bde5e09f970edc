import JSONBytes
import JSONRPC
import ListServer

/// A session with its input and output, without a process.
struct Conversation: ~Copyable {
  private var reader: FrameReader
  private var session: Session
  private(set) var output: [UInt8] = []
  private(set) var diagnostics: [String] = []

  /// The raw ids of requests that are cancelled.
  var cancelled: [String] = []

  var exitCode: Int? { session.exitCode }

  init(_ framing: Framing = .auto, limit: Int = FrameReader.defaultLimit) {
    var options = SessionOptions()
    options.maxMessageBytes = limit
    reader = FrameReader(framing: framing, limit: limit)
    session = Session(options)
  }

  /// Processes bytes of the input.
  mutating func receive(_ bytes: some Sequence<UInt8>) {
    Array(bytes).withUnsafeBytes { reader.feed($0) }
    while session.exitCode == nil, let frame = reader.next() { process(frame, isLast: false) }
  }

  /// Processes the end of the input.
  mutating func end() {
    while session.exitCode == nil, let frame = reader.finish() { process(frame, isLast: true) }
    session.client.finish()
  }

  private mutating func process(_ frame: Frame, isLast: Bool) {
    let cancelled = cancelled
    if session.outbox.isEmpty { session.client.use(reader.framing) }
    session.receive(frame, isLast: isLast) { id in
      cancelled.contains(String(decoding: id, as: UTF8.self))
    }
    session.outbox.withUnsafeBytes { output.append(contentsOf: $0) }
    session.outbox.removeAll()
    diagnostics += session.client.takeDiagnostics()
  }
}

/// Returns the output of a session whose input is lines, and its exit code.
func replies(
  to lines: String..., cancelled: [String] = [], limit: Int = FrameReader.defaultLimit
) -> (output: [String], code: Int?) {
  var conversation = Conversation(limit: limit)
  conversation.cancelled = cancelled
  for line in lines { conversation.receive("\(line)\n".utf8) }
  conversation.end()
  let output = String(decoding: conversation.output, as: UTF8.self)
  return (output.split(separator: "\n").map(String.init), conversation.exitCode)
}

/// Returns a request as text.
func request(_ id: String, _ method: String, _ params: String = "{}") -> String {
  #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#
}

/// Returns a notification as text.
func notification(_ method: String, _ params: String = "{}") -> String {
  #"{"jsonrpc":"2.0","method":"\#(method)","params":\#(params)}"#
}

/// Returns a reply as text.
func reply(_ id: String, _ result: String) -> String {
  #"{"jsonrpc":"2.0","id":\#(id),"result":\#(result)}"#
}

/// A random number generator with a fixed seed (Steele, Lea and Flood, "Fast splittable
/// pseudorandom number generators", 2014).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
