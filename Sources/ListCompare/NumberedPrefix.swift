import ByteBuffers

/// The text before a row: its numbers, which increase from row to row.
struct NumberedPrefix {
  private(set) var bytes: [UInt8] = []

  /// The offset of the last digit of each number; nil if the row does not have that number.
  private var old: Int?
  private var new: Int?

  /// Sets the text and the offsets of the last digits of the numbers.
  mutating func set(_ bytes: UnsafeRawBufferPointer, _ old: Int?, _ new: Int?) {
    self.bytes.removeAll(keepingCapacity: true)
    self.bytes += bytes
    self.old = old
    self.new = new
  }

  /// Increments the numbers. A space or a digit must precede them for each carry.
  mutating func count() {
    if let old { count(at: old) }
    if let new { count(at: new) }
  }

  private mutating func count(at digit: Int) {
    var offset = digit
    while bytes[offset] == 0x39 {
      bytes[offset] = 0x30
      offset -= 1
    }
    bytes[offset] = bytes[offset] == 0x20 ? 0x31 : bytes[offset] + 1
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
