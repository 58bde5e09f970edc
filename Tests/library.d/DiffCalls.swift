import Foundation
import ListDiff

struct Mail: Identifiable, Equatable {
  var id: Int
  var subject = ""
}

struct Tag: Identifiable, Hashable {
  var id: String
}

struct Note {
  var number: Int
  var text = ""
}

/// A section that compares its title.
struct Folder: ListSection {
  var id: Int
  var title = ""
  var items: [Mail]

  func hasSameContent(as other: Folder) -> Bool { title == other.title }
}

/// Sections that are compared as sections although they are values of their own.
struct Values<Item: Hashable>: ListSection, Hashable {
  var id: Int
  var items: [Item]
}

struct Notes: ListSection {
  var id: Int
  var items: [Note]
}

private let old = [Mail(id: 1), Mail(id: 2), Mail(id: 3)]
private let new = [Mail(id: 3), Mail(id: 1, subject: "b"), Mail(id: 4)]
private let moved = ListPath(section: 0, row: 2)

/// Calls everything in `ListDiff`.
func callDiff() throws {
  flatLists()
  try sections()
  try results()
  paths()
  operations()
  differ()
}

private func flatLists() {
  let mails = Changes(from: old, to: new)
  let counts = Changes.Counts(deletes: 1, inserts: 1, moves: 1, updates: 1)
  expect(mails.rowCounts == counts, "identifiable items")
  expect(Changes(from: [1, 2], to: [2, 1], moves: false).rowCounts.inserts == 1, "values")
  let tags = [Tag(id: "a"), Tag(id: "b")]
  expect(Changes(from: tags, to: [tags[1]]).rowCounts.deletes == 1, "hashable items")
  expect(Changes(from: old, to: new, id: \.id) == mails, "a key path")
  let path = \Mail.id
  expect(Changes(from: old, to: new, id: path) == mails, "a key path in a variable")
  expect(Changes(from: old, to: new) { $0 == $1 } == mails, "a closure for contents")
  let closures = Changes(from: old, to: new, id: { $0.id }, sameContent: { $0 == $1 })
  expect(closures == mails, "closures")
  expect(Set([mails, closures]).count == 1 && !mails.isEmpty && mails.opCount == 4, "values")
  expect("\(mails.rowCounts)" == mails.rowCounts.description, "a description of counts")
  expect(mails.rowCounts.moves == 1 && mails.rowCounts.updates == 1, "counts")
}

private func sections() throws {
  let before = [Folder(id: 1, items: old), Folder(id: 2, items: [])]
  let after = [Folder(id: 2, items: [new[0]]), Folder(id: 1, title: "x", items: [new[1], new[2]])]
  let changes = Changes(fromSections: before, to: after)
  expect(changes.sectionCounts.moves == 1 && changes.sectionCounts.updates == 1, "sections")
  expect(changes.oldShape == [3, 0] && changes.newShape == [1, 2], "shapes")
  expect(Changes(from: before, to: after) == changes, "sections as plain lists")
  func hasSameItems<S: ListSection>(_ one: S, _ other: S) -> Bool where S.Item: Equatable {
    one.items == other.items && !one.hasSameContent(as: other)
  }
  expect(hasSameItems(before[1], Folder(id: 2, title: "x", items: [])), "any section")

  let values = [Values(id: 1, items: [1, 2])]
  let swapped = [Values(id: 1, items: [2, 1])]
  expect(Changes(from: values, to: swapped).rowCounts.moves == 1, "values in sections")
  expect(Changes(fromSections: values, to: swapped).rowCounts.moves == 1, "values in sections")
  expect(values[0].hasSameContent(as: swapped[0]), "a section without content of its own")
  let tags = [Values(id: 1, items: [Tag(id: "a"), Tag(id: "b")])]
  let fewer = [Values(id: 1, items: [Tag(id: "b")])]
  expect(Changes(from: tags, to: fewer).rowCounts.deletes == 1, "hashable items in sections")
  expect(Changes(fromSections: tags, to: fewer).rowCounts.deletes == 1, "hashable items")
  let byKey = Changes(fromSections: before, to: after, id: \.id)
  expect(byKey == changes, "a key path in sections")
  let notes = [Notes(id: 1, items: [Note(number: 1)])]
  let edited = [Notes(id: 1, items: [Note(number: 1, text: "b")])]
  let updates = Changes(
    fromSections: notes, to: edited, id: { $0.number }, sameContent: { $0.text == $1.text })
  expect(updates.rowCounts.updates == 1, "closures in sections")

  var ready = Changes.Section(id: "a", items: old)
  ready.items = new
  ready.id = "b"
  expect(Changes.Section<String, Mail>(id: "c").items.isEmpty && ready.id == "b", "a ready section")

  let steps = try changes.steps(fromSections: before, to: after)
  expect(steps.last?.data.map(\.id) == [2, 1], "steps of sections")
  try expect(changes.steps(from: before, to: after).count == steps.count, "steps of sections")
  let applied = try changes.applying(
    toSections: before, section: { after[$0] }, inserting: { after[$0.section].items[$0.row] })
  expect(applied.map(\.items) == after.map(\.items), "a change applied to sections")
  var shown = before
  for step in steps {
    step.stage.apply(
      toSections: &shown, section: { step.data[$0] },
      inserting: { step.data[$0.section].items[$0.row] })
  }
  expect(shown.map(\.items) == after.map(\.items), "stages applied to sections")
  expect(changes.separatingSectionUpdates.stages.count > changes.stages.count, "separate updates")
}

private func results() throws {
  let changes = Changes(from: old, to: new)
  let steps = try changes.steps(from: old, to: new)
  expect(steps.last?.data == new, "steps")
  expect(steps[0].stage == changes.stages[0], "steps by index")
  let notes = [Note(number: 1), Note(number: 2)]
  let fewer = Changes(from: notes, to: [notes[1]], id: { $0.number }, sameContent: { _, _ in true })
  try expect(fewer.steps(from: notes, to: [notes[1]]).count == 1, "steps of any items")
  try expect(changes.applying(to: old) { new[$0.row] } == new, "a change applied")
  var rows = old
  for stage in changes.stages { stage.apply(to: &rows) { new[$0] } }
  expect(rows == new, "stages applied")
  try expect(changes.inverse.applying(to: new) { old[$0.row] } == old, "the inverse")
  expect(changes.limited(to: 3) == nil && changes.limited(to: 4) == changes, "a limit")
  expect("\(changes)" == changes.description && !changes.description.isEmpty, "a description")
  expect(changes.stages[0].description == "\(changes.stages[0])", "a description of a stage")
  var mismatch = ShapeMismatch(expected: [3], found: [1])
  do {
    _ = try changes.applying(to: [old[0]]) { new[$0.row] }
    expect(false, "an error")
  } catch { mismatch = error }
  expect(mismatch.expected == [3] && mismatch.found == [1], "the error for another list")
  let sent = try JSONEncoder().encode(changes)
  try expect(JSONDecoder().decode(Changes.self, from: sent) == changes, "a change as JSON")
  let plain = changes.sequence
  expect(plain.ops.count == 4 && plain.insertedRowCounts.isEmpty, "a sequence")
  expect(OpSequence(changes.stages) == plain, "a sequence of stages")
}

private func paths() {
  let changes = Changes(from: old, to: new)
  let first = ListPath(section: 0, row: 0)
  expect(changes.newPath(ofOld: moved) == first, "a new path")
  expect(changes.oldPath(ofNew: first) == moved, "an old path")
  let map = changes.pathMap
  expect(map.newPath(ofOld: moved) == first && map.oldPath(ofNew: first) == moved, "a path map")
  expect(map.newSection(ofOld: 0) == 0 && map.oldSection(ofNew: 0) == 0, "a map of sections")
  expect(Array(changes.deletedPaths) == [ListPath(section: 0, row: 1)], "deleted paths")
  expect(Array(changes.insertedPaths) == [moved], "inserted paths")
  expect(changes.moves.map(\.from) == [moved], "moves")
  expect(changes.updates.map(\.new) == [ListPath(section: 0, row: 1)], "updates")
  expect(moved.section == 0 && moved.row == 2 && first < moved, "a path")
  expect(moved.description == "\(moved)", "a description of a path")
  let twice = Changes.duplicates(in: old + [old[1]])
  expect(
    twice == [Changes.Duplicate(id: 2, paths: [1, 3].map { ListPath(section: 0, row: $0) })],
    "duplicates")
  expect(twice[0].id == 2 && twice[0].paths.count == 2, "a duplicate")
  expect(Changes.duplicates(in: ["a", "b"], id: { $0 }).isEmpty, "no duplicates")
  let folders = [Folder(id: 1, items: old), Folder(id: 2, items: [old[0]])]
  expect(Changes.duplicates(inSections: folders).count == 1, "duplicates in sections")
}

private func operations() {
  let at = ListPath(section: 0, row: 1)
  let ops: [Changes.Op] = [
    .deleteSections(at: 0, count: 1), .insertSections(at: 0, count: 1),
    .moveSections(from: 0, to: 1, count: 1), .deleteItems(at: at, count: 1),
    .insertItems(at: at, count: 1), .moveItems(from: at, to: moved, count: 1),
    .reloadSections(at: 0, count: 1), .reconfigureSections(at: 0, count: 1),
    .reloadItems(at: at, count: 1), .reconfigureItems(at: at, count: 1),
  ]
  expect(Set(ops.map(\.description)).count == ops.count, "descriptions of operations")
  let stage = Changes.Stage(ops: [ops[1]], insertedRowCounts: [2])
  expect(stage.ops == [ops[1]] && stage.insertedRowCounts == [2], "a stage")
}

private func differ() {
  var differ = ListDiffer(old)
  expect(differ.update(from: old, to: new) == Changes(from: old, to: new), "kept ids")
  var ids = ListDiffer<Int>()
  expect(ids.update(to: [1, 2]) { _, _ in true }.rowCounts.inserts == 2, "ids alone")
  expect(Array(ids.ids) == [1, 2], "the ids")
}
