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

/// A table view with the methods that the examples use.
private struct TableView {
  var updates = 0
  mutating func performBatchUpdates(_ stage: Stage, setData: () -> Void = {}) {
    setData()
    updates += stage.ops.count
  }
  mutating func reloadData() { updates = -1 }
}

/// Mails in a collection view.
private final class MailView {
  var mails: [Mail]
  private(set) lazy var collectionView = CollectionView { [unowned self] in [mails.map(\.hashed)] }

  init(_ mails: [Mail]) {
    self.mails = mails
    _ = collectionView
  }

  func show(_ step: Changes.Step<[Mail]>) {
    collectionView.performBatchUpdates { [self] in
      mails = step.data
      for op in step.stage.ops {
        switch op {
        case .deleteItems(let at, let count): collectionView.deleteItems(at: paths(at, count))
        case .insertItems(let at, let count): collectionView.insertItems(at: paths(at, count))
        case .moveItems(let from, let to, let count):
          for (from, to) in zip(paths(from, count), paths(to, count)) {
            collectionView.moveItem(at: from, to: to)
          }
        case .reloadItems(let at, let count), .reconfigureItems(let at, let count):
          collectionView.reconfigureItems(at: paths(at, count))
        default: break  // A flat list has no operations on sections.
        }
      }
    }
  }

  func paths(_ at: ListPath, _ count: Int) -> [IndexPath] {
    (at.row..<at.row + count).map { IndexPath(item: $0, section: at.section) }
  }
}

extension Mail {
  /// The content of a cell as one number.
  fileprivate var hashed: Int {
    id * 1_000 + subject.utf8.reduce(0) { ($0 * 31 + Int($1)) % 1_000 }
  }
}

/// The examples of the documentation, compiled and run.
@Suite struct ExampleTests {
  let old = [
    Mail(id: 1, subject: "One"), Mail(id: 2, subject: "Two"), Mail(id: 3, subject: "Three"),
  ]
  let new = [
    Mail(id: 3, subject: "Three"), Mail(id: 1, subject: "Uno"), Mail(id: 2, subject: "Two"),
  ]
  let inbox: [Folder]
  let sorted: [Folder]

  init() {
    inbox = [Folder(id: "inbox", title: "Inbox", items: old)]
    sorted = [
      Folder(id: "inbox", title: "Inbox", items: [old[0]]),
      Folder(id: "done", title: "Done", items: [old[1], old[2]]),
    ]
  }

  @Test func stepsOfAFlatList() throws {
    var items = old
    var tableView = TableView()
    let changes = Changes(from: old, to: new)
    for step in try changes.steps(from: old, to: new) {
      tableView.performBatchUpdates(step.stage) { items = step.data }
    }
    #expect(items == new)
    #expect(tableView.updates == 2)
    for step in try changes.inverse.steps(from: new, to: old) {
      tableView.performBatchUpdates(step.stage) { items = step.data }
    }
    #expect(items == old)
    #expect(tableView.updates == 4)
    #expect(try Changes(from: old, to: old).steps(from: old, to: old).isEmpty)
  }

  @Test func identityAndContent() {
    let words = Changes(from: ["a", "b", "c"], to: ["c", "a", "b"], id: \.self)
    let bySubject = Changes(from: old, to: new, id: \.subject)
    let numbers = Changes(from: [1, 2], to: [2, 1])
    let letters = Changes(from: "listen", to: "silent")
    let mails = Changes(from: old, to: new)
    let idsOnly = Changes(from: old, to: new, id: { $0.id }, sameContent: { _, _ in true })
    let subjects = Changes(from: old, to: new) { $0.subject == $1.subject }
    #expect(words.rowCounts == Counts(moves: 1))
    #expect(numbers.rowCounts == Counts(moves: 1))
    #expect(subjects == mails)
    #expect(letters.rowCounts == Counts(moves: 3))
    #expect(mails.rowCounts == Counts(moves: 1, updates: 1))
    #expect(bySubject.rowCounts == Counts(deletes: 1, inserts: 1, moves: 1))
    #expect(idsOnly.rowCounts == Counts(moves: 1))
  }

  @Test func sections() throws {
    var folders = inbox
    var tableView = TableView()
    let changes = Changes(fromSections: inbox, to: sorted)
    for step in try changes.steps(fromSections: inbox, to: sorted) {
      tableView.performBatchUpdates(step.stage) { folders = step.data }
    }
    #expect(changes.sectionCounts == Counts(inserts: 1))
    #expect(changes.rowCounts == Counts(moves: 2))
    #expect(folders.map(\.items.count) == [1, 2])
    #expect(tableView.updates == 2)
    let bySubject = Changes(fromSections: inbox, to: sorted, id: \.subject, sameContent: ==)
    #expect(bySubject == changes)
    let subjects = Changes(fromSections: inbox, to: sorted, id: \.subject)
    #expect(subjects == changes)
    let letters = Changes(
      fromSections: [Changes.Section(id: 1, items: ["a", "b"])],
      to: [Changes.Section(id: 1, items: ["b"]), Changes.Section(id: 2, items: ["a"])])
    #expect(letters.rowCounts == Counts(moves: 1))
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

  @Test func operationsInSequence() throws {
    let ops = Changes(from: ["a", "b", "c"], to: ["c", "a"], id: \.self).sequence.ops
    // deleteItems(at: [0, 1], count: 1), then moveItems(from: [0, 1], to: [0, 0], count: 1)
    let top = Path(section: 0, row: 0)
    let second = Path(section: 0, row: 1)
    #expect(
      ops == [.deleteItems(at: second, count: 1), .moveItems(from: second, to: top, count: 1)])
  }

  /// Long lists with changes of all kinds, from fixed seeds.
  @Test(arguments: 0..<8 as Range<UInt64>) func longerLists(_ seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let old = (0..<100).map { Mail(id: $0, subject: "Mail \($0)") }
    var new = (20..<120).map { Mail(id: $0, subject: "Mail \($0 / 30 == 1 ? $0 + 1 : $0)") }
    for _ in 0..<seed { new.append(new.remove(at: Int.random(in: 0..<100, using: &random))) }
    if seed % 2 == 1 { new.insert(contentsOf: new[40..<60], at: 7) }
    let changes = Changes(from: old, to: new)

    let view = MailView(old)
    for step in try changes.steps(from: old, to: new) { view.show(step) }
    #expect(view.collectionView.cells == [new.map(\.hashed)])

    var rows = old
    for step in try changes.steps(from: old, to: new) {
      for op in OpSequence([step.stage]).ops {
        switch op {
        case .deleteItems(let at, let count): rows.removeSubrange(at.row..<at.row + count)
        case .moveItems(let from, let to, let count):
          let moved = rows[from.row..<from.row + count]
          rows.removeSubrange(from.row..<from.row + count)
          rows.insert(contentsOf: moved, at: to.row)
        case .insertItems(let at, let count):
          rows.insert(contentsOf: step.data[at.row..<at.row + count], at: at.row)
        case .reloadItems(let at, let count), .reconfigureItems(let at, let count):
          let range = at.row..<at.row + count
          rows.replaceSubrange(range, with: step.data[range])
        default: break  // A flat list has no operations on sections.
        }
      }
    }
    #expect(rows == new)
  }

  @Test func listsOfTheWrongShapeThrow() {
    let changes = Changes(from: old, to: new)
    #expect(throws: ShapeMismatch(expected: [3], found: [2])) {
      _ = try changes.steps(from: old.dropLast(), to: new)
    }
  }

  @Test func otherCollections() {
    #expect(Changes(from: 1...3, to: 2...4, id: \.self).rowCounts == Counts(deletes: 1, inserts: 1))
    #expect(Changes(from: old[1...], to: old[1...]).isEmpty)
  }

  @Test func pathMapUpdatesASelection() {
    var selection = [ListPath(section: 0, row: 0), ListPath(section: 0, row: 2)]
    let changes = Changes(from: old, to: new)
    let map = changes.pathMap
    selection = selection.compactMap { map.newPath(ofOld: $0) }
    #expect(selection == [ListPath(section: 0, row: 1), ListPath(section: 0, row: 0)])
  }

  @Test func applyingAChangeToAList() throws {
    let changes = Changes(from: old, to: new)
    let result = try changes.applying(to: old) { new[$0.row] }
    #expect(result == new)
    var rows = old
    for step in try changes.steps(from: old, to: new) {
      let stage = step.stage
      stage.apply(to: &rows) { step.data[$0] }
      #expect(rows == step.data)
    }
  }

  @Test func applyingAChangeToSections() throws {
    let changes = Changes(fromSections: inbox, to: sorted)
    let result = try changes.applying(toSections: inbox) {
      sorted[$0]
    } inserting: {
      sorted[$0.section].items[$0.row]
    }
    #expect(result.map(\.items) == sorted.map(\.items))
    var folders = inbox
    for step in try changes.steps(fromSections: inbox, to: sorted) {
      let stage = step.stage
      stage.apply(toSections: &folders) {
        step.data[$0]
      } inserting: {
        step.data[$0.section].items[$0.row]
      }
      #expect(folders.map(\.items) == step.data.map(\.items))
    }
    let stages = changes.separatingSectionUpdates.stages
    #expect(stages == changes.stages)
  }

  @Test func descriptions() {
    let text = Changes(from: ["a", "b", "c"], to: ["c", "a", "d"]).description
    // ([0, 1] deleted, [0, 2] inserted, [0, 2] → [0, 0])
    #expect(text == "([0, 1] deleted, [0, 2] inserted, [0, 2] → [0, 0])")
    #expect(Changes(from: [1], to: [1]).description == "nothing")
    #expect(Counts(moves: 2, updates: 1).description == "2 moved, 1 changed")
  }

  @Test func duplicateIDs() {
    assert(Changes.duplicates(in: new).isEmpty)
    let twice = Changes.duplicates(in: ["a", "b", "a"], id: \.self)
    #expect(twice.map(\.id) == ["a"] && twice[0].paths.map(\.row) == [0, 2])
    let inSections = [inbox[0], Folder(id: "x", title: "", items: [old[1]])]
    #expect(Changes.duplicates(inSections: inSections).map(\.id) == [2])
  }

  @Test func updatingADiffer() {
    var mails = old
    let newMails = new
    do {
      var differ = ListDiffer(mails)
      let changes = differ.update(to: newMails.map(\.id)) { mails[$0] == newMails[$1] }
      #expect(changes == Changes(from: old, to: new))
    }
    var differ = ListDiffer(mails)
    let changes = differ.update(from: mails, to: newMails)
    mails = newMails
    #expect(changes == Changes(from: old, to: new))
    #expect(differ.ids == [3, 1, 2])
  }
}
