import JSONBytes

/// The text before a row: its numbers, which increase from row to row.
struct NumberedPrefix {
  var bytes: [UInt8]

  /// The offsets of the last digits of the numbers.
  let digits: [Int]

  /// Increments the numbers. A space or a digit must precede them for each carry.
  mutating func count() {
    for digit in digits {
      var offset = digit
      while bytes[offset] == 0x39 {
        bytes[offset] = 0x30
        offset -= 1
      }
      bytes[offset] = bytes[offset] == 0x20 ? 0x31 : bytes[offset] + 1
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Calls `body` with each line, without its line feed.
  func forEachLine(_ body: (UnsafeRawBufferPointer) -> Void) {
    var start = 0
    while start < count {
      let end = Bytes.firstIndex(of: 0x0A, in: self, from: start) ?? count
      body(UnsafeRawBufferPointer(rebasing: self[start..<end]))
      start = end + 1
    }
  }
}
