import JSONBytes
import JSONRPC
import ListProtocol

/// The form of a journal: a line that says what it is, then a line a change.
///
/// Each line of a change is a checksum in sixteen hexadecimal digits, a space, and what has become
/// of the lists as JSON. The checksum is that of the JSON, seeded with the checksum of the line
/// before. So a line that is missing, duplicate or out of order is noticed like one that was
/// altered. The lines of version 1 are not chained: every seed is 0.
package enum Journal {
  /// The first line.
  package static let header = "{\"listd\":\"journal\",\"version\":2}\n"

  private static let unchainedHeader = "{\"listd\":\"journal\",\"version\":1}\n"

  /// What the checksum of the next line is seeded with.
  package struct Chain {
    fileprivate var seed: UInt64

    /// Whether the lines are chained, as they are in all but journals of version 1.
    package fileprivate(set) var isChained = true

    /// The chain of a journal without changes.
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

    /// Takes the checksum of a line.
    fileprivate mutating func add(_ sum: UInt64) {
      if isChained { seed = sum }
    }
  }

  /// Whether bytes may be the first ones of a journal.
  package static func canBegin(with bytes: UnsafeRawBufferPointer) -> Bool {
    [header, unchainedHeader].contains {
      bytes.starts(with: $0.utf8) || $0.utf8.starts(with: bytes)
    }
  }

  /// Why bytes are not taken for a journal.
  package enum Problem: Error {
    case notAJournal
    case anotherVersion(String)

    /// The line that begins at an offset is not as it was written, or not where it was written.
    case damaged(offset: Int)

    /// The words for people.
    package var description: String {
      switch self {
      case .notAJournal: "is no journal of listd"
      case .anotherVersion(let line): "was written by another version of listd: \(line)"
      case .damaged(let offset): "is damaged at byte \(offset)"
      }
    }
  }

  /// The number of bytes before a change's JSON.
  private static let prefix = 17

  /// Appends a change to what the chain belongs to.
  package static func append(
    _ effects: borrowing ByteBuffer, to buffer: inout ByteBuffer, _ chain: inout Chain
  ) {
    let sum = effects.withUnsafeBytes { Bytes.checksum(of: $0, seed: chain.seed) }
    append(sum, to: &buffer)
    buffer.append(0x20)
    buffer.append(contentsOf: effects)
    buffer.append(0x0A)
    chain.add(sum)
  }

  /// What a journal holds.
  struct Content {
    /// The range of each change.
    var changes: [Range<Int>] = []

    /// The offset at which what was not cut short ends.
    var end = 0

    /// What the next line follows.
    var chain = Chain()
  }

  /// Reads a journal. A last line without its line end was cut short and does not count.
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
    // A write that was cut short leaves the beginning of a line, and not all of it with another end.
    var chain = content.chain
    if content.end < bytes.count,
      change(in: content.end..<bytes.count - 1, of: bytes, &chain) != nil
    {
      throw .damaged(offset: content.end)
    }
    return content
  }

  /// The change in a line without its end; `nil` if it is not as it was written.
  private static func change(
    in line: Range<Int>, of bytes: UnsafeRawBufferPointer, _ chain: inout Chain
  ) -> Range<Int>? {
    let start = line.lowerBound
    guard line.count > prefix, bytes[start + prefix - 1] == 0x20 else { return nil }
    let effects = start + prefix..<line.upperBound
    let sum = Bytes.checksum(of: UnsafeRawBufferPointer(rebasing: bytes[effects]), seed: chain.seed)
    var digits = ByteBuffer()
    append(sum, to: &digits)
    guard digits.withUnsafeBytes({ $0.elementsEqual(bytes[start..<start + 16]) }) else {
      return nil
    }
    chain.add(sum)
    return effects
  }

  private static func append(_ sum: UInt64, to buffer: inout ByteBuffer) {
    for shift in stride(from: 60, through: 0, by: -4) {
      let digit = UInt8(truncatingIfNeeded: sum >> UInt64(shift) & 0xF)
      buffer.append(digit < 10 ? digit + 0x30 : digit + 0x57)
    }
  }
}

/// Where a session's changes are written before they are answered.
package struct JournalSink {
  /// The journal's name, for failures.
  package var path: String

  /// Writes bytes at the journal's end; returns why it could not, and then nothing was written.
  package var write: (UnsafeRawBufferPointer) -> String?

  package init(path: String, write: @escaping (UnsafeRawBufferPointer) -> String?) {
    self.path = path
    self.write = write
  }
}
