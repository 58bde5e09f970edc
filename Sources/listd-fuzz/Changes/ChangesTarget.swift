import Foundation
import JSONBytes
import ListServer

/// A list that the input changes step by step. One list of a session gets it as snapshots, another
/// as edits. Both must have its content, and need no more operations than a simple comparison
/// finds.
///
/// Promise: A list sent as a whole and one sent as edits become equal, by the same operations.
enum ChangesTarget {
  static func run(_ bytes: UnsafeRawBufferPointer) {
    var pair = ListPair()
    var list = ModelList()
    for byte in bytes {
      list.step(byte)
      if byte < 16 { pair.take(&list) }
    }
    pair.take(&list)
    pair.finish()
  }
}

/// A session with two lists that must stay equal: one gets snapshots, the other edits.
private struct ListPair: ~Copyable {
  private var session: Session
  private var previous: [ModelSection] = []
  private var written = JournalLines()

  init() {
    session = SessionTarget.session(journal: written)
    _ = ask("applySnapshot", "{\"list\":\"snapshots\",\"sections\":[]}")
    _ = ask("applySnapshot", "{\"list\":\"edits\",\"sections\":[]}")
  }

  /// Sends the model's changes to both lists.
  mutating func take(_ list: inout ModelList) {
    let wanted = ModelChange(from: previous, to: list.sections)
    let sections = list.text
    let whole = change("applySnapshot", "{\"list\":\"snapshots\",\"sections\":\(sections)}")
    let isWhole = list.edits.contains("whole")
    let edits = list.takeEdits()
    let edited =
      isWhole
      ? change("applySnapshot", "{\"list\":\"edits\",\"sections\":\(sections)}")
      : change("editSnapshot", "{\"list\":\"edits\",\"edits\":\(edits)}")
    check(whole, wanted)
    check(edited, wanted)
    for name in ["snapshots", "edits"] {
      let text = ask("getSnapshot", "{\"list\":\"\(name)\"}")
      let isSame = text.utf8.contains(",\"sections\":\(sections),\"selection\"".utf8)
      precondition(isSame, "\(text) is not \(sections)")
    }
    previous = list.sections
  }

  /// Restores the lists from the journal and compares them.
  mutating func finish() {
    let state = SessionTarget.state(of: &session)
    SessionTarget.restore(written.bytes, and: state)
  }

  private func check(_ change: ReportedChange, _ wanted: ModelChange) {
    let message = "\(change.counts.rows), not \(wanted.rows)"
    precondition(change.counts.sections == wanted.sections, "\(change.counts.sections) of sections")
    precondition(change.counts.rows.deletes == wanted.rows.deletes, message)
    precondition(change.counts.rows.inserts == wanted.rows.inserts, message)
    precondition(change.counts.rows.updates == wanted.rows.updates, message)
    precondition(wanted.hasRepeats || change.counts.rows.moves == wanted.rows.moves, message)
    precondition(
      change.operations <= wanted.operations, "\(change.operations) operations, \(message)")
    precondition(wanted.hasRepeats || change.operations == wanted.operations, message)
  }

  private mutating func change(_ method: String, _ params: String) -> ReportedChange {
    let text = ask(method, params)
    guard let reply = try? JSONDecoder().decode(Reply.self, from: Data(text.utf8)) else {
      preconditionFailure("\(method) \(params) gives \(text)")
    }
    return reply.result
  }

  private mutating func ask(_ method: String, _ params: String) -> String {
    SessionTarget.ask(method, params, &session)
  }
}

/// The lines of a journal, in memory.
final class JournalLines {
  private(set) var bytes = Array(Journal.header.utf8)

  /// The offset after each line.
  private(set) var ends: [Int] = []

  /// The sink that a session writes to.
  var sink: JournalSink {
    JournalSink(path: "memory") { line in
      self.bytes += line
      self.ends.append(self.bytes.count)
      return nil
    }
  }
}

private struct Reply: Decodable {
  var result: ReportedChange
}

/// A change in a reply.
private struct ReportedChange: Decodable {
  struct Counts: Decodable {
    var rows: ModelChange.Counts
    var sections: ModelChange.Counts
  }

  struct Operation: Decodable {
    var op: String
    var count: Int
  }

  var counts: Counts
  var stages: [[Operation]]

  /// The number of rows that row operations delete, insert and move.
  var operations: Int {
    stages.joined().reduce(0) { sum, operation in
      switch operation.op {
      case "deleteItems", "insertItems", "moveItems": sum + operation.count
      default: sum
      }
    }
  }
}
