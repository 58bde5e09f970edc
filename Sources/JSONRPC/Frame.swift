import JSONBytes

/// How messages are told apart in a stream of bytes.
package enum Framing: Sendable {
  /// As the first byte tells that is neither white space nor a byte-order mark: `{` and `[` begin
  /// `ndjson`, all else `lsp`.
  case auto

  /// One message a line.
  case ndjson

  /// Each message after a header block with its length, as in the Language Server Protocol.
  case lsp
}

/// What a stream of bytes brought.
package enum Frame {
  /// The bytes of a message, whatever they are.
  case message(SharedBytes)

  /// A message over the limit, passed over; `bytes` is its length.
  case tooLarge(bytes: Int)

  /// A header block that cannot be understood, and its bytes as far as they were read.
  case broken(HeaderProblem, SharedBytes)

  /// The stream ended inside a message.
  case unterminated
}

/// What is wrong with a header block.
package enum HeaderProblem: String, Sendable {
  case notAHeader = "a line that is no header"
  case badLength = "a Content-Length that is no number of bytes"
  case conflictingLengths = "two Content-Lengths that differ"
  case missingLength = "no Content-Length"
  case tooLong = "a header block that is too long"
}
