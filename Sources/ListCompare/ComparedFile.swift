import ByteBuffers

/// A file to compare, or the part of it after a common beginning.
package struct ComparedFile: Sendable {
  package var name: String
  package var content: SharedBytes

  /// The number of lines before `content`, which both files have.
  package var linesBefore = 0

  /// Whether the content was not read, because the file or the other one has a NUL and they differ.
  let isUnreadBinary: Bool

  /// Creates a file that differs from the other one, of which one has a NUL.
  package init(binary name: String) {
    self.name = name
    content = SharedBytes(copying: UnsafeRawBufferPointer(start: nil, count: 0))
    isUnreadBinary = true
  }

  /// Creates a file. `name` is for messages and drawings.
  package init(name: String, content: SharedBytes, linesBefore: Int = 0) {
    self.name = name
    self.content = content
    self.linesBefore = linesBefore
    isUnreadBinary = false
  }
}

/// Why files cannot be compared, as a message for people.
package struct ComparisonFailure: Error, Sendable {
  package var words: String

  package init(_ words: String) { self.words = words }
}

extension ComparedFile {
  /// Throws if a part of a file is not text.
  ///
  /// `offset` is the part's offset in the file. The part ends at the end of a line.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  package static func checkText(
    _ bytes: UnsafeRawBufferPointer, at offset: Int, of name: String
  ) throws(ComparisonFailure) {
    var start = 0
    while true {
      start += Bytes.plainPrefix(of: bytes, from: start)
      guard start < bytes.count else { return }
      if bytes[start] == 0 {
        throw binary(name, at: offset + start)
      }
      // Characters that are not ASCII often occur close together.
      var end = min(bytes.count, start + 256)
      while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
      let part = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
      if let index = Bytes.firstInvalidUTF8(in: part) {
        throw ComparisonFailure("\(name) is not UTF-8 at byte \(offset + start + index)")
      }
      if let index = Bytes.firstIndex(of: 0, in: part, from: 0) {
        start += index
      } else {
        start = end
      }
    }
  }

  /// Throws if the file is not text.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  package func checkText() throws(ComparisonFailure) {
    try content.withBytes { bytes throws(ComparisonFailure) in
      try Self.checkText(bytes, at: 0, of: name)
    }
  }

  /// Whether the content is valid UTF-8.
  var isUTF8: Bool { content.withBytes { Bytes.firstInvalidUTF8(in: $0) == nil } }

  /// Whether the file has a NUL, which text has not.
  var isBinary: Bool {
    isUnreadBinary || content.withBytes { Bytes.firstIndex(of: 0, in: $0, from: 0) != nil }
  }

  /// The failure for a file with a NUL byte.
  package static func binary(_ name: String, at offset: Int) -> ComparisonFailure {
    ComparisonFailure("\(name) is a binary file: it has a NUL at byte \(offset)")
  }

  /// The size of the largest file that can be compared, in bytes.
  package static let largestSize = Int(Int32.max)

  /// The same file without a byte-order mark.
  package func withoutMark() -> ComparedFile {
    var file = self
    file.content = content.withBytes { bytes in
      bytes.starts(with: [0xEF, 0xBB, 0xBF])
        ? SharedBytes(copying: UnsafeRawBufferPointer(rebasing: bytes.dropFirst(3))) : content
    }
    return file
  }
}
