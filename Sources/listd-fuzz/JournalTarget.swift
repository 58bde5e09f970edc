import JSONBytes
import ListServer

/// Bytes that are no journal are refused; what is restored can be written down and restored again.
enum JournalTarget {
  static func run(_ bytes: UnsafeRawBufferPointer) {
    restore(Array(bytes))
    // With a checksum that is right, what is inside is looked at.
    let text = MemoryJournal()
    let isWritten = Array(Journal.header.utf8).withUnsafeBytes { text.append($0) }
    precondition(isWritten)
    var lines: [UInt8] = []
    for line in bytes.split(separator: 0x0A) {
      let effects = UnsafeRawBufferPointer(rebasing: line)
      let sum = String(Bytes.checksum(of: effects), radix: 16)
      lines += Array(String(repeating: "0", count: 16 - sum.count).utf8) + Array(sum.utf8)
      lines += [0x20] + effects + [0x0A]
    }
    restore(text.bytes + lines)
  }

  private static func restore(_ journal: [UInt8]) {
    var session = Session()
    guard (try? session.restore(SharedBytes(copying: journal))) != nil else { return }
    let before = SessionTarget.state(of: &session)
    let written = MemoryJournal()
    precondition(session.writeJournal { written.append($0) })
    var again = Session()
    guard (try? again.restore(SharedBytes(copying: written.bytes))) != nil else {
      preconditionFailure("a journal that cannot be read")
    }
    precondition(SessionTarget.state(of: &again) == before, "lists that did not come back")
  }
}
