import ByteBuffers
import JSONRPC
import ListProtocol

/// The format of a journal: a header line, then a line for each request that has changed something.
///
/// Such a line is a checksum of sixteen hexadecimal digits, a space, and the records of the change
/// as a JSON array, whose form `JournalRecord` describes. The checksum is that of the array, seeded
/// with the checksum of the line before. So a line that is missing, duplicate or out of order is
/// detected like one that was altered. The lines of version 1 are not chained: every seed is 0.
package enum Journal {
  /// The header line.
  package static let header = "{\"listd\":\"journal\",\"version\":2}\n"

  private static let unchainedHeader = "{\"listd\":\"journal\",\"version\":1}\n"

  /// The seed of the checksum of the next line.
  package struct Chain {
    fileprivate var seed: UInt64

    /// Whether the lines are chained, which is false for version 1.
    package fileprivate(set) var isChained = true

    /// Creates the chain of a journal without changes.
    package init() {
      var header = Journal.header
      seed = header.withUTF8 { Bytes.checksum(of: UnsafeRawBufferPointer($0)) }
    }

    fileprivate static var unchained: Chain {
      var chain = Chain()
      chain.isChained = false
      chain.seed = 0
      return chain
    }

    /// Adds the checksum of a line.
    fileprivate mutating func add(_ sum: UInt64) {
      if isChained { seed = sum }
    }
  }

  /// Reports whether a journal may begin with these bytes.
  package static func canBegin(with bytes: UnsafeRawBufferPointer) -> Bool {
    [header, unchainedHeader].contains {
      bytes.starts(with: $0.utf8) || $0.utf8.starts(with: bytes)
    }
  }

  /// Why a file cannot be read as a journal.
  package enum Problem: Error {
    case notAJournal
    case anotherVersion(String)

    /// The line at an offset was altered, or is not where it was written.
    case damaged(offset: Int)

    /// The description for people.
    package var description: String {
      switch self {
      case .notAJournal: "is not a journal of listd"
      case .anotherVersion(let line): "was written by another version of listd: \(line)"
      case .damaged(let offset): "is damaged at byte \(offset)"
      }
    }
  }

  /// The number of bytes before the JSON of a change.
  private static let prefix = 17

  /// Appends the line of a change and adds it to the chain.
  package static func append(
    _ records: borrowing ByteBuffer, to buffer: inout ByteBuffer, _ chain: inout Chain
  ) {
    records.withUnsafeBytes { append($0, to: &buffer, &chain) }
  }

  private static func append(
    _ records: UnsafeRawBufferPointer, to buffer: inout ByteBuffer, _ chain: inout Chain
  ) {
    let sum = Bytes.checksum(of: records, seed: chain.seed)
    append(sum, to: &buffer)
    buffer.append(0x20)
    buffer.append(records)
    buffer.append(0x0A)
    chain.add(sum)
  }

  /// The content of a journal.
  struct Content {
    /// The ranges of the changes' JSON.
    var changes: [Range<Int>] = []

    /// The offset of the end of the last complete line.
    var end = 0

    /// The chain for the next line.
    var chain = Chain()
  }

  /// Reads a journal. A last line without its line end was cut off and is ignored.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  static func read(_ journal: SharedBytes) throws(Problem) -> Content {
    let bytes = journal.bytes
    defer { withExtendedLifetime(journal) {} }
    var content = Content()
    if bytes.starts(with: unchainedHeader.utf8) {
      content.chain = .unchained
    } else if !bytes.starts(with: header.utf8) {
      if canBegin(with: bytes) { return content }
      guard bytes.starts(with: header.utf8.prefix(20)) else { throw .notAJournal }
      throw .anotherVersion(String(decoding: bytes.prefix { $0 != 0x0A }.prefix(80), as: UTF8.self))
    }
    content.end = header.utf8.count
    while let newline = Bytes.firstIndex(of: 0x0A, in: bytes, from: content.end) {
      guard let change = change(in: content.end..<newline, of: bytes, &content.chain) else {
        throw .damaged(offset: content.end)
      }
      content.changes.append(change)
      content.end = newline + 1
    }
    // An interrupted write leaves the beginning of a line, never a whole line with another end.
    var chain = content.chain
    if content.end < bytes.count,
      change(in: content.end..<bytes.count - 1, of: bytes, &chain) != nil
    {
      throw .damaged(offset: content.end)
    }
    return content
  }

  /// Appends the whole lines at the beginning of a part of another journal, in this chain. Returns their
  /// size in bytes.
  static func append(
    lines bytes: UnsafeRawBufferPointer, to buffer: inout ByteBuffer, _ chain: inout Chain
  ) -> Int {
    var end = 0
    while let newline = Bytes.firstIndex(of: 0x0A, in: bytes, from: end) {
      append(UnsafeRawBufferPointer(rebasing: bytes[end + prefix..<newline]), to: &buffer, &chain)
      end = newline + 1
    }
    return end
  }

  /// Returns the range of the JSON in a line without its end; `nil` if the line is damaged.
  private static func change(
    in line: Range<Int>, of bytes: UnsafeRawBufferPointer, _ chain: inout Chain
  ) -> Range<Int>? {
    let start = line.lowerBound
    guard line.count > prefix, bytes[start + prefix - 1] == 0x20 else { return nil }
    let records = start + prefix..<line.upperBound
    let sum = Bytes.checksum(of: UnsafeRawBufferPointer(rebasing: bytes[records]), seed: chain.seed)
    var digits = ByteBuffer()
    append(sum, to: &digits)
    guard digits.withUnsafeBytes({ $0.elementsEqual(bytes[start..<start + 16]) }) else {
      return nil
    }
    chain.add(sum)
    return records
  }

  private static func append(_ sum: UInt64, to buffer: inout ByteBuffer) {
    for shift in stride(from: 60, through: 0, by: -4) {
      let digit = UInt8(truncatingIfNeeded: sum >> UInt64(shift) & 0xF)
      buffer.append(digit < 10 ? digit + 0x30 : digit + 0x57)
    }
  }
}

/// The destination of changes, which are written before they are answered.
package struct JournalSink {
  /// The name of the journal, for failures.
  package var path: String

  /// Appends bytes to the journal. Returns the reason if it fails; then nothing was written.
  package var write: (UnsafeRawBufferPointer) -> String?

  package init(path: String, write: @escaping (UnsafeRawBufferPointer) -> String?) {
    self.path = path
    self.write = write
  }
}
