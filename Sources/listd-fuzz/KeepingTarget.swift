import JSONBytes
import ListServer

/// Requests whose changes are written down, and the file cut or spoilt anywhere, and its lines left
/// out, repeated, exchanged or cut: what was acknowledged before is there again, and nothing that never
/// was; all but a cut at the end is noticed.
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
      damageLine(journal, &random, states)
    }
  }

  /// What a client sees of all lists, by how many changes were written down before.
  private static func states(
    of lines: [Slice<UnsafeRawBufferPointer>], _ journal: JournalLines
  ) -> [Int: [String]] {
    var session = Session()
    session.lists.keepChanges(in: journal.sink)
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
    check(Array(journal.bytes[..<place]), journal, states, "cut at \(place)")
  }

  private static func spoil(
    _ journal: JournalLines, at place: Int, _ bit: UInt8, _ states: [Int: [String]]
  ) {
    var bytes = journal.bytes
    bytes[place] ^= bit
    check(bytes, journal, states, "spoilt at \(place) by \(bit)")
  }

  /// Leaves a line out, repeats it elsewhere, exchanges it for another or cuts its end off.
  private static func damageLine(
    _ journal: JournalLines, _ random: inout SplitMix, _ states: [Int: [String]]
  ) {
    let header = Journal.header.utf8.count
    var lines = zip([header] + journal.ends, journal.ends).map { journal.bytes[$0..<$1] }
    guard !lines.isEmpty else { return }
    let line = random.next(below: lines.count)
    let other = random.next(below: lines.count)
    let kind = random.next(below: 4)
    switch kind {
    case 0: lines.remove(at: line)
    case 1: lines.insert(lines[line], at: other + random.next(below: 2))
    case 2: lines.swapAt(line, other)
    default:
      lines[line] = lines[line].dropLast(1 + random.next(below: lines[line].count))
      if random.next(below: 2) == 0 { lines[line].append(0x0A) }
    }
    let bytes = journal.bytes[..<header] + lines.joined()
    check(Array(bytes), journal, states, "line \(line), \(other), damage \(kind)")
  }

  /// Checks what becomes of a journal that was damaged. Only the beginning of the whole one is read,
  /// as far as its lines are whole; all else is damaged from the first line on that is another.
  private static func check(
    _ bytes: [UInt8], _ journal: JournalLines, _ states: [Int: [String]], _ words: String
  ) {
    let header = Journal.header.utf8.count
    let same = zip(bytes, journal.bytes).prefix { $0 == $1 }.count
    let whole = journal.ends.count { $0 <= same }
    let end = whole > 0 ? journal.ends[whole - 1] : same < header ? 0 : header
    do {
      var session = Session()
      let restored = try session.lists.restore(SharedBytes(copying: bytes))
      precondition(same == bytes.count, "damage that nobody noticed: \(words)")
      precondition(restored.end == end, "\(restored.end) bytes of \(end) that are whole: \(words)")
      // What a batch leaves halfway, nobody has seen.
      guard let state = states[whole] else { return }
      precondition(
        SessionTarget.state(of: &session, withTexts: false) == state,
        "lists that did not come back: \(words)")
    } catch {
      switch error {
      case .notAJournal, .anotherVersion:
        precondition(same < min(header, bytes.count), "it is a journal: \(words)")
      case .damaged(let offset):
        precondition(
          same < bytes.count && same >= header && offset == end, "it is not \(offset): \(words)")
      }
    }
  }
}
