import ByteBuffers
import Testing

@testable import ListServer

/// Exhaustive tests of damaged journals: a damaged journal is refused, or is read like a shorter
/// one.
///
/// Promise: A line of a journal that was altered, is missing, duplicate or out of order is damage,
///   also the last one. Also `test_damaged_lines_are_refused`,
///   `test_a_last_line_that_was_altered_is_not_taken_for_a_torn_one`,
///   `Sources/listd-fuzz/JournalDamageTarget.swift`.
@Suite struct JournalLineTests {
  private let bytes: [UInt8]

  /// The offset of the end of each line, beginning with the header.
  private let ends: [Int]

  init() {
    var session = Session()
    var written = Array(Journal.header.utf8)
    session.lists.recordChanges(
      in: JournalSink(path: "memory") { line in
        written += line
        return nil
      })
    for message in [
      request("1", "applySnapshot", #"{"list":"a","items":[1,2]}"#),
      request("2", "editSnapshot", #"{"list":"a","edits":[{"edit":"appendItems","items":[3]}]}"#),
      request("3", "applySnapshot", #"{"list":"b","items":["x"]}"#),
      request("4", "compose", #"{"list":"c","sources":["a","b"]}"#),
      request("5", "removeList", #"{"list":"b"}"#),
      request("6", "select", #"{"list":"a","items":[2]}"#),
      request("7", "select", #"{"list":"a","items":[1]}"#),
    ] {
      session.receive(.message(SharedBytes(copying: message.utf8)))
    }
    bytes = written
    ends = written.indices.filter { written[$0] == 0x0A }.map { $0 + 1 }
  }

  private var lines: [ArraySlice<UInt8>] {
    zip([0] + ends, ends).map { bytes[$0..<$1] }
  }

  /// Checks how a damaged journal is read: a prefix of the original is read up to its last complete
  /// line; anything else is damaged at the first line that differs from the original.
  private func check(_ damaged: [UInt8], _ comment: @autoclosure () -> Comment) {
    var same = 0
    while same < min(damaged.count, bytes.count), damaged[same] == bytes[same] { same += 1 }
    let end = ends.last { $0 <= same } ?? 0
    do {
      let content = try Journal.read(SharedBytes(copying: damaged))
      #expect(same == damaged.count && content.end == end, comment())
      #expect(content.changes.count == max(0, ends.count { $0 <= same } - 1), comment())
    } catch {
      #expect(same < damaged.count, comment())
      switch error {
      case .damaged(let offset): #expect(offset == end && end > 0, comment())
      case .notAJournal, .anotherVersion: #expect(end == 0, comment())
      }
    }
  }

  @Test func detectsEveryAlteredBit() {
    #expect(ends.count == 8)
    for offset in bytes.indices {
      for bit in 0..<8 {
        var damaged = bytes
        damaged[offset] ^= 1 << UInt8(bit)
        check(damaged, "bit \(bit) of byte \(offset)")
      }
    }
  }

  @Test func readsEveryPrefix() {
    for end in 0...bytes.count { check(Array(bytes[..<end]), "cut at \(end)") }
  }

  @Test func detectsMissingAndDuplicateBytes() {
    for offset in bytes.indices {
      var damaged = bytes
      damaged.remove(at: offset)
      check(damaged, "without byte \(offset)")
      damaged = bytes
      damaged.insert(bytes[offset], at: offset)
      check(damaged, "byte \(offset) twice")
    }
  }

  @Test func detectsMissingDuplicateAndMovedLines() {
    for line in lines.indices {
      var rest = lines
      let taken = rest.remove(at: line)
      check(Array(rest.joined()), "without line \(line)")
      for index in 0...rest.count {
        var moved = rest
        moved.insert(taken, at: index)
        check(Array(moved.joined()), "line \(line) moved to \(index)")
      }
      for index in 0...lines.count {
        var more = lines
        more.insert(taken, at: index)
        check(Array(more.joined()), "line \(line) again at \(index)")
      }
      for other in lines.indices {
        var swapped = lines
        swapped.swapAt(line, other)
        check(Array(swapped.joined()), "lines \(line) and \(other) swapped")
      }
    }
  }

  @Test func detectsShortenedLines() {
    for line in lines.indices {
      for count in 1...lines[line].count {
        for hasEnd in [false, true] {
          var cut = lines
          cut[line] = cut[line].dropLast(count) + (hasEnd ? [0x0A] : [])
          check(Array(cut.joined()), "line \(line) without its last \(count) bytes")
        }
      }
    }
  }

  /// A journal that is followed by zeros or by the lines of another journal.
  @Test func detectsBytesAfterTheLastLine() {
    for count in [1, 7, 16, 17, 18, 4096] {
      let zeros = [UInt8](repeating: 0, count: count)
      #expect(throws: Never.self) {
        let content = try Journal.read(SharedBytes(copying: bytes + zeros))
        #expect(content.end == bytes.count)
      }
      #expect(throws: Journal.Problem.self) {
        _ = try Journal.read(SharedBytes(copying: bytes + zeros + [0x0A]))
      }
    }
    #expect(throws: Journal.Problem.self) {
      _ = try Journal.read(SharedBytes(copying: bytes + bytes[Journal.header.utf8.count...]))
    }
  }
}
