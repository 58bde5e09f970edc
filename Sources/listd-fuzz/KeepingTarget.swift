import JSONBytes
import ListServer

/// Requests whose changes are written down, and the file cut or spoilt anywhere: what was acknowledged
/// before is there again, and nothing that never was.
enum KeepingTarget {
  static func run(_ bytes: UnsafeRawBufferPointer) {
    let journal = JournalLines()
    let states = states(of: bytes.split(separator: 0x0A), journal)
    // Where it is cut and spoilt hangs on the bytes alone, so that what is found is found again.
    var random = SplitMix(state: Bytes.checksum(of: bytes))
    for _ in 0..<4 {
      cut(journal, at: random.next(below: journal.bytes.count + 1), states)
      spoil(
        journal, at: random.next(below: journal.bytes.count), 1 << UInt8(random.next(below: 8)),
        states)
    }
  }

  /// What a client sees of all lists, by how many changes were written down before.
  private static func states(
    of lines: [Slice<UnsafeRawBufferPointer>], _ journal: JournalLines
  ) -> [Int: [String]] {
    var session = Session()
    session.keepChanges(in: journal.sink)
    var states = [0: SessionTarget.state(of: &session, withTexts: false)]
    for line in lines {
      let before = journal.ends.count
      session.receive(
        .message(SharedBytes(copying: UnsafeRawBufferPointer(rebasing: line))))
      session.outbox.removeAll()
      let state = SessionTarget.state(of: &session, withTexts: false)
      // Who has said goodbye is told nothing more.
      guard !state.isEmpty else { break }
      precondition(
        before < journal.ends.count || states[before].map { $0 == state } ?? true,
        "a change that is not written down")
      states[journal.ends.count] = state
    }
    return states
  }

  private static func cut(_ journal: JournalLines, at place: Int, _ states: [Int: [String]]) {
    let whole = journal.ends.count { $0 <= place }
    do {
      let header = Journal.header.utf8.count
      let end = whole > 0 ? journal.ends[whole - 1] : place < header ? 0 : header
      try check(Array(journal.bytes[..<place]), end, states[whole])
    } catch { preconditionFailure("cut at \(place), it \(error.description)") }
  }

  private static func spoil(
    _ journal: JournalLines, at place: Int, _ bit: UInt8, _ states: [Int: [String]]
  ) {
    var bytes = journal.bytes
    bytes[place] ^= bit
    let whole = journal.ends.count { $0 <= place }
    let start = whole > 0 ? journal.ends[whole - 1] : Journal.header.utf8.count
    let isHeader = place < Journal.header.utf8.count
    // Without its end a line is one with the next.
    let isEnd = !isHeader && journal.ends.contains(place + 1)
    let hasMore = journal.ends.count - whole > (isEnd ? 2 : 1)
    do {
      try check(bytes, start, states[whole])
      precondition(!isHeader && !hasMore, "damage at \(place) that nobody noticed")
    } catch {
      switch error {
      case .notAJournal, .anotherVersion: precondition(isHeader, "\(place) is not in the header")
      case .damaged(let offset):
        precondition(!isHeader && hasMore && offset == start, "\(place) is not \(offset)")
      }
    }
  }

  private static func check(
    _ bytes: [UInt8], _ end: Int, _ state: [String]?
  ) throws(Journal.Problem) {
    var session = Session()
    let restored = try session.restore(SharedBytes(copying: bytes))
    precondition(restored.end == end, "\(restored.end) bytes of \(end) that are whole")
    // What a batch leaves halfway, nobody has seen.
    guard let state else { return }
    precondition(
      SessionTarget.state(of: &session, withTexts: false) == state, "lists that did not come back")
  }
}
