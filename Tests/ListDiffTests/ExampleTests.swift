import Foundation
import ListDiff
import Testing

struct Mail: Identifiable, Equatable {
  let id: Int
  var subject: String
}

struct Folder: ListSection {
  let id: String
  var title: String
  var items: [Mail]

  func hasSameContent(as other: Folder) -> Bool { title == other.title }
}

/// A table view as far as the examples need one.
private struct TableView {
  var updates = 0
  mutating func performBatchUpdates(_ stage: Stage) { updates += stage.ops.count }
  mutating func reloadData() { updates = -1 }
}

/// The examples of the documentation, compiled and run.
@Suite struct ExampleTests {
  let old = [
    Mail(id: 1, subject: "One"), Mail(id: 2, subject: "Two"), Mail(id: 3, subject: "Three"),
  ]
  let new = [
    Mail(id: 3, subject: "Three"), Mail(id: 1, subject: "Uno"), Mail(id: 2, subject: "Two"),
  ]

  @Test func stepsOfAFlatList() throws {
    var items = old
    var tableView = TableView()
    let changes = Changes(from: old, to: new)
    for step in try changes.steps(from: old, to: new) {
      items = step.data
      tableView.performBatchUpdates(step.stage)
    }
    #expect(items == new)
    #expect(tableView.updates == 2)
  }

  @Test func identityAndContent() {
    let words = Changes(from: ["a", "b", "c"], to: ["c", "a", "b"], id: \.self)
    let mails = Changes(from: old, to: new)
    let bySubject = Changes(from: old, to: new, id: \.subject)
    let idsOnly = Changes(from: old, to: new, id: { $0.id }, sameContent: { _, _ in true })
    #expect(words.rowCounts == Counts(moves: 1))
    #expect(mails.rowCounts == Counts(moves: 1, updates: 1))
    #expect(bySubject.rowCounts == Counts(deletes: 1, inserts: 1, moves: 1))
    #expect(idsOnly.rowCounts == Counts(moves: 1))
  }

  @Test func sections() throws {
    let inbox = [Folder(id: "inbox", title: "Inbox", items: old)]
    let sorted = [
      Folder(id: "inbox", title: "Inbox", items: [old[0]]),
      Folder(id: "done", title: "Done", items: [old[1], old[2]]),
    ]
    let changes = Changes(fromSections: inbox, to: sorted)
    #expect(changes.sectionCounts == Counts(inserts: 1))
    #expect(changes.rowCounts == Counts(moves: 2))
    #expect(try changes.steps(fromSections: inbox, to: sorted).last?.data.last?.items.count == 2)
  }

  @Test func tooManyOperations() {
    var tableView = TableView()
    if let changes = Changes(from: old, to: new).limited(to: 1) {
      for stage in changes.stages { tableView.performBatchUpdates(stage) }
    } else {
      tableView.reloadData()
    }
    #expect(tableView.updates == -1)
  }

  @Test func listsOfAnotherShape() {
    let changes = Changes(from: old, to: new)
    #expect(throws: ShapeMismatch(expected: [3], found: [2])) {
      _ = try changes.steps(from: old.dropLast(), to: new)
    }
  }

  @Test func otherCollections() {
    #expect(Changes(from: 1...3, to: 2...4, id: \.self).rowCounts == Counts(deletes: 1, inserts: 1))
    #expect(Changes(from: old[1...], to: old[1...]).isEmpty)
  }

  /// Each example in a comment of the sources is in this file, line by line.
  @Test func documentationHasNoOtherExamples() throws {
    let file = URL(filePath: #filePath)
    let root = file.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let folder = root.appending(path: "Sources/ListDiff")
    let compiled = normalized(try String(contentsOf: file, encoding: .utf8))
    var examples = 0
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      for part in text.components(separatedBy: "/// ```swift\n").dropFirst() {
        let lines = part.components(separatedBy: "/// ```")[0].components(separatedBy: "///")
        #expect(compiled.contains(normalized(lines.joined())), "\(name): \(lines.joined())")
        examples += 1
      }
    }
    #expect(examples >= 4)
  }

  private func normalized(_ code: String) -> String {
    code.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }.joined(separator: "\n")
  }
}
