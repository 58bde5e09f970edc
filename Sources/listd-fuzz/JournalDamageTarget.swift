import ByteBuffers
import ListServer

/// Requests whose changes are written to a journal that is then damaged: it is cut, bits are
/// flipped, and lines are removed, repeated, exchanged or cut. Exactly the changes before the
/// damage must be restored, and all damage except a cut at the end must be reported.
///
/// Promise: Wherever the journal is truncated or damaged, exactly the acknowledged changes before
///   are restored. Also `JournalTests`.
enum JournalDamageTarget {
  static func run(_ bytes: UnsafeRawBufferPointer) {
    let journal = JournalLines()
    let states = states(of: bytes.split(separator: 0x0A), journal)
    // The damage depends only on the input, so that a failure is reproducible.
    var random = SplitMix(state: Bytes.checksum(of: bytes))
    for _ in 0..<4 {
      truncate(journal, at: random.next(below: journal.bytes.count + 1), states)
      flipBit(
        journal, at: random.next(below: journal.bytes.count), 1 << UInt8(random.next(below: 8)),
        states)
      damageLine(journal, &random, states)
    }
  }

  /// What a client sees of all lists, by the number of journal lines written before.
  private static func states(
    of lines: [Slice<UnsafeRawBufferPointer>], _ journal: JournalLines
  ) -> [Int: [String]] {
    var session = Session()
    session.lists.recordChanges(in: journal.sink)
    var states = [0: SessionTarget.state(of: &session, withTexts: false)]
    for line in lines {
      let before = journal.ends.count
      session.receive(
        .message(SharedBytes(copying: UnsafeRawBufferPointer(rebasing: line))))
      session.outbox.removeAll()
      let state = SessionTarget.state(of: &session, withTexts: false)
      // A session that has ended answers no more.
      guard !state.isEmpty else { break }
      precondition(
        before < journal.ends.count || states[before].map { $0 == state } ?? true,
        "a change is missing from the journal")
      states[journal.ends.count] = state
    }
    return states
  }

  private static func truncate(_ journal: JournalLines, at offset: Int, _ states: [Int: [String]]) {
    check(Array(journal.bytes[..<offset]), journal, states, "cut at \(offset)")
  }

  private static func flipBit(
    _ journal: JournalLines, at offset: Int, _ bit: UInt8, _ states: [Int: [String]]
  ) {
    var bytes = journal.bytes
    bytes[offset] ^= bit
    check(bytes, journal, states, "bit \(bit) flipped at \(offset)")
  }

  /// Removes a line, repeats it elsewhere, exchanges it with another, or cuts off its end.
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

  /// Checks that a damaged journal is restored up to its last complete undamaged line, and that the
  /// damage after it is reported.
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
      precondition(same == bytes.count, "the damage was not reported: \(words)")
      precondition(restored.end == end, "\(restored.end) bytes instead of \(end): \(words)")
      // No client has seen the state in the middle of a batch.
      guard let state = states[whole] else { return }
      precondition(
        SessionTarget.state(of: &session, withTexts: false) == state,
        "the lists were not restored: \(words)")
    } catch {
      switch error {
      case .notAJournal, .anotherVersion:
        precondition(same < min(header, bytes.count), "a journal was rejected: \(words)")
      case .damaged(let offset):
        precondition(
          same < bytes.count && same >= header && offset == end, "wrong offset \(offset): \(words)")
      }
    }
  }
}
