import JSONBytes

/// A file that is compared, or the part of it that differs from the other file.
package struct ComparedFile: Sendable {
  package var name: String
  package var content: SharedBytes

  /// The number of lines before `content`, which the other file begins with, too.
  package var linesBefore = 0

  /// A file with a name for people.
  package init(name: String, content: SharedBytes, linesBefore: Int = 0) {
    self.name = name
    self.content = content
    self.linesBefore = linesBefore
  }
}

/// Why files cannot be compared, in words for people.
package struct ComparisonFailure: Error, Sendable {
  package var words: String

  package init(_ words: String) { self.words = words }
}

extension ComparedFile {
  /// Throws if a part of a file is not text.
  ///
  /// `offset` is where the part begins in the file. A part ends where a line ends.
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
      // What is not ASCII often has more of its kind nearby.
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

  /// Why a file with a NUL at an offset is not compared.
  package static func binary(_ name: String, at offset: Int) -> ComparisonFailure {
    ComparisonFailure("\(name) is a binary file: it has a NUL at byte \(offset)")
  }

  /// The largest file whose contents are compared, in bytes.
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
