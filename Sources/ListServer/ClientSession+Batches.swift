import ByteBuffers
import JSONRPC
import ListProtocol

extension ClientSession {
  /// The size in bytes of a batch's answer, with the notifications that follow it, at which the
  /// rest of the batch is refused.
  ///
  /// The answer is sent as a whole, and a short request can have a long reply.
  package static let batchAnswerLimit = 64 << 20

  /// Answers a batch.
  mutating func answer(
    _ batch: Batch, _ message: SharedBytes, _ lists: inout SharedLists
  ) {
    outbox.beginMessage()
    let first = outbox.buffer.count
    var hasReplies = false
    var size = 0
    var counted = (notifications.count, lists.service.notificationBytes)
    var refusal: Failure?
    outbox.buffer.append(0x5B)
    for envelope in batch {
      let start = outbox.buffer.count
      if hasReplies { outbox.buffer.append(0x2C) }
      let isAnswered: Bool
      if let refusal {
        isAnswered = refuse(envelope, message, refusal)
      } else {
        var params = Params()
        isAnswered = answer(envelope, message, &params, &lists)
      }
      if isAnswered { hasReplies = true } else { outbox.buffer.truncate(to: start) }
      if exitCode != nil { break }
      guard refusal == nil else { continue }
      size += notifications[counted.0...].reduce(0) { $0 + $1.count }
      size += lists.service.notificationBytes - counted.1
      counted = (notifications.count, lists.service.notificationBytes)
      let bytes = outbox.buffer.count - first + size
      guard bytes >= Self.batchAnswerLimit else { continue }
      let failure = Failure.answerTooLarge(limit: Self.batchAnswerLimit, bytes: bytes)
      refusal = failure
      log(.warning, failure.message)
    }
    outbox.buffer.append(0x5D)
    if hasReplies { outbox.endMessage() } else { outbox.discardMessage() }
  }

  /// Answers a message of a batch that is refused. Returns false if nothing was appended.
  ///
  /// Only messages with an `id` are answered, so that the answer stays in proportion to the batch.
  private mutating func refuse(
    _ envelope: Envelope, _ message: SharedBytes, _ failure: Failure
  ) -> Bool {
    guard envelope.kind != .response, envelope.kind != .notification, let id = envelope.id else {
      return false
    }
    append(failure, id: UnsafeRawBufferPointer(rebasing: message.bytes[id]))
    return true
  }
}
