import ByteBuffers

/// How messages are separated in a stream of bytes.
package enum Framing: Sendable {
  /// Determined by the first byte that is neither white space nor part of a byte-order mark: `{` or
  /// `[` means `ndjson`, any other byte `lsp`.
  case auto

  /// One message per line.
  case ndjson

  /// Each message is preceded by a header block with its length, as in the Language Server
  /// Protocol.
  case lsp
}

/// The result of reading a part of a stream.
package enum Frame {
  /// The bytes of a message, which may be invalid.
  case message(SharedBytes)

  /// A message over the limit, which was skipped; `bytes` is its length.
  case tooLarge(bytes: Int)

  /// An invalid header block, with its bytes up to the problem.
  case broken(HeaderProblem, SharedBytes)

  /// The stream ended inside a message.
  case unterminated
}

/// A problem of a header block. The raw value is its description in error replies.
package enum HeaderProblem: String, Sendable {
  case notAHeader = "a line that is no header"
  case badLength = "a Content-Length that is no number of bytes"
  case conflictingLengths = "two Content-Lengths that differ"
  case missingLength = "no Content-Length"
  case tooLong = "a header block that is too long"
}
