import Foundation
import JSONBytes
import ListServer

/// A list that changes as the bytes say, given whole to one list and as edits to another: both become
/// what it is, by no more operations than plain means find.
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

/// A session with two lists that are to be the same, one of snapshots and one of edits.
private struct ListPair: ~Copyable {
  private var session: Session
  private var told: [ModelSection] = []
  private var written = JournalLines()

  init() {
    var options = SessionOptions()
    options.checksAnswers = true
    options.historyBytes = 4096
    session = Session(options)
    session.lists.keepChanges(in: written.sink)
    _ = ask("applySnapshot", "{\"list\":\"snapshots\",\"sections\":[]}")
    _ = ask("applySnapshot", "{\"list\":\"edits\",\"sections\":[]}")
  }

  /// Tells both lists what has become of the model.
  mutating func take(_ list: inout ModelList) {
    let wanted = ModelChange(from: told, to: list.sections)
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
    told = list.sections
  }

  /// The lists come back from what was written down of each change.
  mutating func finish() {
    let state = SessionTarget.state(of: &session)
    SessionTarget.restore(written.bytes, and: state)
  }

  private func check(_ change: ToldChange, _ wanted: ModelChange) {
    let told = "\(change.counts.rows), not \(wanted.rows)"
    precondition(change.counts.sections == wanted.sections, "\(change.counts.sections) of sections")
    precondition(change.counts.rows.deletes == wanted.rows.deletes, told)
    precondition(change.counts.rows.inserts == wanted.rows.inserts, told)
    precondition(change.counts.rows.updates == wanted.rows.updates, told)
    precondition(wanted.hasRepeats || change.counts.rows.moves == wanted.rows.moves, told)
    precondition(change.operations <= wanted.operations, "\(change.operations) operations, \(told)")
    precondition(wanted.hasRepeats || change.operations == wanted.operations, told)
  }

  private mutating func change(_ method: String, _ params: String) -> ToldChange {
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

  /// Where each line ends.
  private(set) var ends: [Int] = []

  /// What a session is to write to.
  var sink: JournalSink {
    JournalSink(path: "memory") { line in
      self.bytes += line
      self.ends.append(self.bytes.count)
      return nil
    }
  }
}

private struct Reply: Decodable {
  var result: ToldChange
}

/// A change as a reply tells it.
private struct ToldChange: Decodable {
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

  /// The rows deleted, inserted and moved by operations of rows.
  var operations: Int {
    stages.joined().reduce(0) { sum, operation in
      switch operation.op {
      case "deleteItems", "insertItems", "moveItems": sum + operation.count
      default: sum
      }
    }
  }
}
