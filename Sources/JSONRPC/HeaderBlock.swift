/// The header lines of a message read so far.
struct HeaderBlock {
  /// The maximum length of a block in bytes, including line ends.
  static let maximumLength = 8192

  /// The beginning of the block that follows an invalid one, in lower case.
  static let start: StaticString = "content-length:"

  /// The length of the body, once it was read.
  private(set) var contentLength: Int?

  /// The number of bytes of the block read so far.
  var length = 0

  /// Processes a line without its line end.
  ///
  /// A repeated length must be the same. Other headers are ignored.
  mutating func read(_ line: UnsafeRawBufferPointer) throws(HeaderProblem) {
    guard Self.matchLength(of: line) == Self.start.utf8CodeUnitCount else {
      guard let colon = line.firstIndex(of: 0x3A), Self.isName(line[..<colon]) else {
        throw .notAHeader
      }
      return
    }
    let value = try Self.length(line, from: Self.start.utf8CodeUnitCount)
    if let contentLength, contentLength != value { throw .conflictingLengths }
    contentLength = value
  }

  /// Returns how many bytes at the beginning of a line match `start`, ignoring case.
  static func matchLength(of line: UnsafeRawBufferPointer) -> Int {
    var offset = 0
    while offset < min(line.count, start.utf8CodeUnitCount) {
      let byte = line[offset]
      let lower = byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
      guard lower == start.utf8Start[offset] else { return offset }
      offset += 1
    }
    return offset
  }

  /// Returns whether bytes are a valid header name: a token of RFC 9110, section 5.6.2.
  ///
  /// JSON without a header also contains colons and must not be mistaken for one.
  private static func isName(_ bytes: Slice<UnsafeRawBufferPointer>) -> Bool {
    !bytes.isEmpty
      && bytes.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x5E...0x7A, 0x7C, 0x7E: true
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E: true
        default: false
        }
      }
  }

  /// Returns the number of bytes that a line has from an offset on, between blanks.
  private static func length(
    _ line: UnsafeRawBufferPointer, from offset: Int
  ) throws(HeaderProblem) -> Int {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
    var (start, end) = (offset, line.count)
    while start < end, isBlank(line[start]) { start += 1 }
    while start < end, isBlank(line[end - 1]) { end -= 1 }
    guard start < end else { throw .badLength }
    var length = 0
    for offset in start..<end {
      let byte = line[offset]
      guard byte >= 0x30 && byte <= 0x39 else { throw .badLength }
      let (tenfold, overflowed) = length.multipliedReportingOverflow(by: 10)
      let (sum, overflowedAgain) = tenfold.addingReportingOverflow(Int(byte) - 0x30)
      if overflowed || overflowedAgain { throw .badLength }
      length = sum
    }
    return length
  }
}

extension HeaderProblem: Error {}
