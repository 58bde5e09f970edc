import ByteBuffers
import FuzzyMatch
import JSONRPC
import ListState

/// What requests are performed for: the client and its options, and the id, the cancellation and
/// the progress of the current request.
package final class RequestContext {
  /// The number of the client.
  private(set) var client = 1

  /// The framing of the client's messages.
  private var framing = Framing.ndjson

  /// The client's unit of offsets in texts.
  private(set) var offsetUnit = OffsetUnit.utf16

  /// Whether the client takes log messages.
  private(set) var takesLogs = false

  private var isCancelledID: (UnsafeRawBufferPointer) -> Bool = { _ in false }
  private var sendNow: (UnsafeRawBufferPointer) -> Void = { _ in }

  /// Whether the current request can be cancelled.
  var isCancellable = true

  private var message: SharedBytes?
  private var idRange: Range<Int>?

  /// The token for the progress of the current request, if it has one.
  var progressToken: Value?

  private var progress: Progress?

  /// The members that identify the items of the current request.
  var itemKey: ItemKey?

  init() {}

  /// Whether messages to the client are written without line ends.
  var singleLine: Bool { framing != .lsp }

  /// Begins a message of a client.
  ///
  /// `takesLogs` if the client takes log messages; `isCancelled` reports whether the request with a raw
  /// id was cancelled; `sendNow` sends framed messages to the client immediately.
  package func beginMessage(
    of client: Int, framing: Framing, _ offsetUnit: OffsetUnit = .utf16,
    takesLogs: Bool = false,
    isCancelled: @escaping (UnsafeRawBufferPointer) -> Bool = { _ in false },
    sendNow: @escaping (UnsafeRawBufferPointer) -> Void = { _ in }
  ) {
    self.client = client
    self.framing = framing
    self.offsetUnit = offsetUnit
    self.takesLogs = takesLogs
    isCancelledID = isCancelled
    self.sendNow = sendNow
  }

  /// Begins the requests of a message.
  package func beginRequests(of message: SharedBytes) { self.message = message }

  /// Begins a request, whose raw id is a range of the message; a notification has none.
  package func beginRequest(id: Range<Int>?) { idRange = id }

  /// Ends the message of a client.
  package func endMessage() {
    isCancelledID = { _ in false }
    sendNow = { _ in }
    message = nil
    idRange = nil
  }

  /// A copy of the raw id of the current request.
  package var id: SharedBytes? {
    guard let message, let idRange else { return nil }
    return SharedBytes(copying: UnsafeRawBufferPointer(rebasing: message.bytes[idRange]))
  }

  /// Whether the current request was cancelled.
  package var isCancelled: Bool {
    guard isCancellable, let message, let idRange else { return false }
    return isCancelledID(UnsafeRawBufferPointer(rebasing: message.bytes[idRange]))
  }

  /// Throws if the current request was cancelled. Nothing has changed yet.
  func checkCancellation() throws(Failure) {
    if isCancelled { throw .cancelled }
  }

  /// Reports the begin of the work on a number of rows, unless that was reported, the request has
  /// no token, or the work is short.
  func beginProgress(of method: Method, rows: @autoclosure () -> Int) {
    guard let progressToken, progress == nil, rows() > Progress.longRows else { return }
    let progress = Progress(token: progressToken)
    send(progress.begin(method))
    self.progress = progress
  }

  func reportProgress(_ message: StaticString, percentage: Int) {
    if let progress { send(progress.report(message, percentage: percentage)) }
  }

  /// Reports the end of the progress, if its begin was reported.
  func endProgress() {
    progressToken = nil
    if let progress = progress.take() { send(progress.end()) }
  }

  /// Sends a message immediately.
  private func send(_ message: borrowing ByteBuffer) {
    var outbox = Outbox(framing: framing)
    outbox.beginMessage()
    outbox.buffer.append(contentsOf: message)
    outbox.endMessage()
    outbox.withUnsafeBytes { sendNow($0) }
  }
}
