import JSONBytes
import JSONRPC
import ListProtocol

/// The form of a journal: a line that says what it is, then a line a change.
///
/// Each line of a change is the checksum of the rest in sixteen hexadecimal digits, a space, and
/// what has become of the lists as JSON.
package enum Journal {
  /// The first line.
  package static let header = "{\"listd\":\"journal\",\"version\":1}\n"

  /// Whether bytes may be the first ones of a journal, of this version.
  package static func canBegin(with bytes: UnsafeRawBufferPointer) -> Bool {
    let head = Array(header.utf8)
    return bytes.starts(with: head) || head.starts(with: bytes)
  }

  /// Why bytes are not taken for a journal.
  package enum Problem: Error {
    case notAJournal
    case anotherVersion(String)

    /// There are whole changes behind one that is not as it was written.
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

  /// Appends a change.
  static func append(_ effects: borrowing ByteBuffer, to buffer: inout ByteBuffer) {
    let sum = effects.withUnsafeBytes { Bytes.checksum(of: $0) }
    append(sum, to: &buffer)
    buffer.append(0x20)
    buffer.append(contentsOf: effects)
    buffer.append(0x0A)
  }

  /// The places of the changes in a journal, and where what was not cut short ends.
  static func read(_ journal: SharedBytes) throws(Problem) -> (changes: [Range<Int>], end: Int) {
    let bytes = journal.bytes
    defer { withExtendedLifetime(journal) {} }
    let head = Array(header.utf8)
    guard bytes.count >= head.count else {
      guard head.starts(with: bytes) else { throw .notAJournal }
      return ([], 0)
    }
    guard bytes.starts(with: head) else {
      guard bytes.starts(with: head.prefix(20)) else { throw .notAJournal }
      throw .anotherVersion(String(decoding: bytes.prefix { $0 != 0x0A }.prefix(80), as: UTF8.self))
    }
    var changes: [Range<Int>] = []
    var end = head.count
    while let change = change(at: end, in: bytes) {
      changes.append(change)
      end = change.upperBound + 1
    }
    var start = end
    while let newline = Bytes.firstIndex(of: 0x0A, in: bytes, from: start) {
      start = newline + 1
      if change(at: start, in: bytes) != nil { throw .damaged(offset: end) }
    }
    return (changes, end)
  }

  /// The change whose line begins at a place, where it is whole.
  private static func change(at start: Int, in bytes: UnsafeRawBufferPointer) -> Range<Int>? {
    guard start + prefix < bytes.count, bytes[start + prefix - 1] == 0x20,
      let end = Bytes.firstIndex(of: 0x0A, in: bytes, from: start + prefix)
    else { return nil }
    let effects = start + prefix..<end
    var digits = ByteBuffer()
    append(Bytes.checksum(of: UnsafeRawBufferPointer(rebasing: bytes[effects])), to: &digits)
    let isWhole = digits.withUnsafeBytes { $0.elementsEqual(bytes[start..<start + 16]) }
    return isWhole ? effects : nil
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
