import ByteBuffers
import JSONRPC

extension Failure {
  /// Returns whether a code is that of a change that could not be written to the journal.
  package static func isOfJournal(_ code: Int) -> Bool { code == ErrorCode.journalFailed.rawValue }

  /// A change that could not be written to the journal and was undone.
  package static func journalFailed(_ path: String, why: String) -> Failure {
    Failure(
      .journalFailed, "the change could not be written to \(path): \(why)",
      data: ["path": .text(path), "why": .text(why)])
  }

  /// The path of the journal and the reason if a reply reports that the journal could not be
  /// written, else `nil`.
  package static func journalFailure(in reply: SharedBytes) -> (path: String, why: String)? {
    guard let data = failureData(in: reply, of: .journalFailed),
      let path = data["path"]?.string, let why = data["why"]?.string
    else { return nil }
    return (String(decoding: path, as: UTF8.self), String(decoding: why, as: UTF8.self))
  }

  /// Returns the data of an error reply with a code; `nil` for all other messages.
  static func failureData(in reply: SharedBytes, of code: ErrorCode) -> Value? {
    // Error replies are short.
    guard reply.count < 1 << 16, (try? Message.read(reply.bytes)) != nil else { return nil }
    let error = Value(reply)["error"]
    return error?["code"]?.integer == code.rawValue ? error?["data"] : nil
  }
}
