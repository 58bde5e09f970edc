import Foundation
import ListDiff
import Testing

@testable import listd_fuzz

/// Paths, results of applying, coded forms and differs: the parts of the interface beside computing
/// changes.
///
/// Promise: The paths, rows and lists of a change are those of the ids; a change that does not fit
///   is not decoded.
@Suite struct PublicCallTests {
  typealias Item = StepInvariants.Item

  struct Row: Identifiable, Hashable {
    var id: Int
    var text = 0
  }

  struct Group: ListSection, Equatable {
    var id: Int
    var title = 0
    var items: [Row]

    func hasSameContent(as other: Group) -> Bool { title == other.title }
  }

  /// Random pairs of lists with sections; every other pair has a single section.
  private func pairs(_ count: Int, seed: UInt64) -> [([Group], [Group])] {
    var random = SplitMix(seed: seed)
    return (0..<count).map { round in
      let sections = round % 2 == 0 ? 1 : Int.random(in: 0...4, using: &random)
      var ids = Array(0..<30).shuffled(using: &random)
      func rows(_ ids: ArraySlice<Int>) -> [Row] {
        ids.map { Row(id: $0, text: Int.random(in: 0..<6, using: &random) / 5) }
      }
      let old = (0..<sections).map { section in
        let count = Int.random(in: 0...6, using: &random)
        defer { ids.removeFirst(count) }
        return Group(id: section, items: rows(ids.prefix(count)))
      }
      var left = old.flatMap { $0.items.map(\.id) }
      left.removeAll { _ in Int.random(in: 0..<5, using: &random) == 0 }
      left += ids.prefix(Int.random(in: 0...3, using: &random))
      if Bool.random(using: &random) { left.shuffle(using: &random) }
      var order = Array(0..<max(1, sections))
      if round % 2 == 1 {
        order.shuffle(using: &random)
        if Bool.random(using: &random) { _ = order.popLast() }
        if Bool.random(using: &random) { order.append(9) }
      }
      var new = order.map {
        Group(id: $0, title: Int.random(in: 0..<4, using: &random) / 3, items: [])
      }
      for row in rows(left[...]) where !new.isEmpty {
        new[Int.random(in: new.indices, using: &random)].items.append(row)
      }
      return (round % 2 == 0 ? [Group(id: 0, items: old.flatMap(\.items))] : old, new)
    }
  }

  private func paths(_ groups: [Group]) -> [Int: ListPath] {
    var result: [Int: ListPath] = [:]
    for (section, group) in groups.enumerated() {
      for (row, item) in group.items.enumerated() {
        result[item.id] = ListPath(section: section, row: row)
      }
    }
    return result
  }

  @Test(arguments: [true, false]) func pathsMatchTheIDs(moves: Bool) {
    for (old, new) in pairs(2_000, seed: 3) {
      let changes = Changes(from: old, to: new, moves: moves)
      let (before, after) = (paths(old), paths(new))
      let map = changes.pathMap
      var deleted: [ListPath] = []
      var inserted: [ListPath] = []
      for (id, path) in before {
        let found = map.newPath(ofOld: path)
        #expect(found == after[id] || !moves && found == nil)
        if found == nil { deleted.append(path) }
      }
      for (id, path) in after {
        let found = map.oldPath(ofNew: path)
        #expect(found == before[id] || !moves && found == nil)
        if found == nil { inserted.append(path) }
      }
      #expect(changes.deletedPaths == deleted.sorted())
      #expect(changes.insertedPaths == inserted.sorted())
      #expect(changes.moves.count == changes.rowCounts.moves)
      for move in changes.moves { #expect(map.newPath(ofOld: move.from) == move.to) }
      let texts = { (groups: [Group], path: ListPath) in groups[path.section].items[path.row].text }
      let updated = after.values.filter { path in
        map.oldPath(ofNew: path).map { texts(old, $0) != texts(new, path) } ?? false
      }
      #expect(changes.updates.map(\.new) == updated.sorted())
      for (index, group) in old.enumerated() {
        let found = map.newSection(ofOld: index)
        #expect(found == new.firstIndex { $0.id == group.id } || !moves && found == nil)
      }
      for (index, group) in new.enumerated() where moves {
        #expect(map.oldSection(ofNew: index) == old.firstIndex { $0.id == group.id })
      }
    }
  }

  @Test func applyingAChangeGivesTheNewList() throws {
    for (old, new) in pairs(1_000, seed: 4) {
      let changes = Changes(from: old, to: new)
      var calls = 0
      let made = try changes.applying(toSections: old) {
        new[$0]
      } inserting: {
        calls += 1
        return new[$0.section].items[$0.row]
      }
      #expect(made == new)
      #expect(calls == changes.insertedPaths.count + changes.rowCounts.updates)
      var groups = old
      for step in try changes.steps(fromSections: old, to: new) {
        step.stage.apply(toSections: &groups) {
          step.data[$0]
        } inserting: {
          step.data[$0.section].items[$0.row]
        }
        #expect(groups == step.data)
      }
      let coded = try JSONDecoder().decode(Changes.self, from: JSONEncoder().encode(changes))
      #expect(coded == changes)
      let separate = changes.separatingSectionUpdates
      #expect(separate.stages.count <= 5)
      for stage in separate.stages {
        #expect(
          !stage.ops.contains(where: \.isUpdateOfSection)
            || !stage.ops.contains(where: \.isUpdateOfRow))
      }
      let steps = try separate.steps(from: old, to: new)
      #expect(steps.last?.data ?? new == new)
      for step in steps {
        let isOfContents = step.stage.ops.allSatisfy { $0.isUpdateOfSection || $0.isUpdateOfRow }
        #expect(!isOfContents || step.data == new)
      }
      #expect(separate.inverse == changes.inverse)
    }
  }

  @Test func sectionsAreComparedAsSections() {
    let old = [Group(id: 1, items: [Row(id: 1), Row(id: 2)])]
    let new = [Group(id: 1, items: [Row(id: 2), Row(id: 1)])]
    let changes = Changes(from: old, to: new)
    #expect(changes.rowCounts == Counts(moves: 1))
    #expect(changes == Changes(fromSections: old, to: new))
    let plain = Changes(
      from: [Changes.Section(id: "a", items: [1, 2])],
      to: [Changes.Section(id: "a", items: [2, 1])])
    #expect(plain.rowCounts == Counts(moves: 1))
  }

  @Test func keyPathsInVariables() {
    let path: KeyPath<Row, Int> = \.id
    let (old, new) = ([Row(id: 1), Row(id: 2)], [Row(id: 2), Row(id: 1, text: 1)])
    #expect(Changes(from: old, to: new, id: path) == Changes(from: old, to: new))
    #expect(Changes(from: old, to: new[...], id: \.id) == Changes(from: old, to: new))
  }

  /// Key paths to a stored string, to a part of a property, and to a property that is computed.
  @Test(arguments: [\Titled.id, \.names.0, \.shout])
  func keyPathsOfAnyKind(_ path: KeyPath<Titled, String> & Sendable) {
    let old = (0..<300).map { Titled(id: "a long identifier \($0)", number: $0 / 2) }
    var new = old.reversed().filter { $0.number != 7 }
    new[3].number = -1
    let expected = Changes(from: old, to: new)
    #expect(expected.rowCounts == Counts(deletes: 2, moves: 297, updates: 1))
    #expect(Changes(from: old, to: new, id: path) == expected)
    #expect(Changes(from: old, to: new, moves: false, id: path).rowCounts.moves == 0)
  }

  /// Invalid changes; each must be reported as a decoding error.
  @Test(arguments: [
    #"{"stages":[{"ops":[{"op":"deleteItems","at":[0,3],"count":1}],"insertedRowCounts":[]}]"#,
    #"{"stages":[{"ops":[{"op":"deleteItems","at":[0,-1],"count":1}],"insertedRowCounts":[]}]"#,
    #"{"stages":[{"ops":[{"op":"deleteItems","at":[0,0],"count":0}],"insertedRowCounts":[]}]"#,
    #"{"stages":[{"ops":[{"op":"deleteItems","at":[1,0],"count":1}],"insertedRowCounts":[]}]"#,
    #"{"stages":[{"ops":[{"op":"moveItems","from":[0,0],"to":[0,9],"count":1}],"insertedRowCounts":[]}]"#,
    #"{"stages":[{"ops":[{"op":"insertSections","at":0,"count":1}],"insertedRowCounts":[]}]"#,
    #"{"stages":[{"ops":[{"op":"insertSections","at":5,"count":1}],"insertedRowCounts":[1]}]"#,
    #"{"stages":[{"ops":[{"op":"deleteSections","at":0,"count":9223372036854775807}],"insertedRowCounts":[]}]"#,
    #"{"stages":[{"ops":[{"op":"reloadItems","at":[0,2],"count":1}],"insertedRowCounts":[]}]"#,
    #"{"stages":[{"ops":[{"op":"vanish","at":[0,2],"count":1}],"insertedRowCounts":[]}]"#,
  ])
  func invalidChangesAreNotDecoded(_ start: String) {
    let rest = #","oldShape":[2],"newShape":[2],"rows":\#(counts),"sections":\#(counts)}"#
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Changes.self, from: Data((start + rest).utf8))
    }
  }

  /// A list, also one between two stages, has at most `Int32.max` rows.
  @Test(arguments: [
    #"{"stages":[],"oldShape":[2147483647,1],"newShape":[2147483647,1]"#,
    #"{"stages":[{"ops":[{"op":"insertItems","at":[0,0],"count":1}],"insertedRowCounts":[]},"#
      + #"{"ops":[{"op":"deleteItems","at":[0,0],"count":1}],"insertedRowCounts":[]}],"#
      + #""oldShape":[2147483647],"newShape":[2147483647]"#,
  ])
  func changesOfTooManyRowsAreNotDecoded(_ start: String) {
    #expect(throws: DecodingError.self) {
      let text = start + #","rows":\#(counts),"sections":\#(counts)}"#
      return try JSONDecoder().decode(Changes.self, from: Data(text.utf8))
    }
  }

  private let counts = #"{"deletes":0,"inserts":0,"moves":0,"updates":0}"#

  /// A differ that is given ids and indices returns the changes of the lists, with ids that repeat
  /// and ids that are equal but have other bytes.
  @Test(arguments: [3, 12, 90]) func aDifferOfIDsGivesTheChangesOfItsLists(distinct: Int) {
    var random = SplitMix(seed: UInt64(distinct))
    func id(_ number: Int) -> String {
      // A precomposed and a decomposed é are equal.
      number == 1 ? (Bool.random(using: &random) ? "\u{E9}" : "e\u{301}") : "id \(number)"
    }
    var differ = ListDiffer<String>()
    var list: [String] = []
    for round in 0..<300 {
      var new = (0..<distinct).map { _ in id(Int.random(in: 0..<distinct, using: &random)) }
      if round % 3 == 0 { new = (0..<distinct).map(id).shuffled(using: &random) }
      if round % 5 == 0 { new = list.map { $0 == "\u{E9}" ? id(1) : $0 }.reversed() }
      let changed = Set((0..<2).map { _ in Int.random(in: 0..<distinct, using: &random) })
      let changes = differ.update(to: new) { _, row in !changed.contains(row) }
      #expect(differ.ids == new)
      #expect((try? changes.applying(to: list) { new[$0.row] }) == new)
      let updated = Set(changes.updates.map(\.new.row))
      let kept = Set(new.indices).subtracting(changes.insertedPaths.map(\.row))
      #expect(updated == changed.intersection(kept))
      let plain = Changes(from: list, to: new)
      if Set(list).count == list.count, Set(new).count == new.count {
        #expect(changes.rowCounts.moves == plain.rowCounts.moves)
      }
      #expect(changes.rowCounts.deletes == plain.rowCounts.deletes)
      list = new
    }
  }

  /// A differ returns the same changes as comparing both lists, whatever it was updated with
  /// before.
  @Test(arguments: [0, 30, 400]) func aDifferGivesTheChangesOfItsLists(count: Int) {
    var random = SplitMix(seed: UInt64(count))
    var list = (0..<count).map { Row(id: $0) }
    var differ = ListDiffer(list)
    var next = count
    for round in 0..<400 {
      var new = list
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        if !new.isEmpty { new.remove(at: Int.random(in: new.indices, using: &random)) }
      }
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        let id = round % 50 == 49 ? Int.random(in: 0..<max(1, next), using: &random) : next
        next += 1
        new.insert(Row(id: id), at: Int.random(in: 0...new.count, using: &random))
      }
      if !new.isEmpty, round % 3 == 0 {
        new.append(new.remove(at: Int.random(in: new.indices, using: &random)))
        new[Int.random(in: new.indices, using: &random)].text += 1
      }
      if round % 40 == 39 {
        new = new.shuffled(using: &random) + (next..<next + 9).map { Row(id: $0) }
      }
      next += 9
      let changes = differ.update(from: list, to: new)
      let plain = Changes(from: list, to: new)
      #expect(changes.rowCounts.deletes == plain.rowCounts.deletes)
      #expect((try? changes.applying(to: list) { new[$0.row] }) == new)
      if Changes.duplicates(in: list).isEmpty, Changes.duplicates(in: new).isEmpty {
        #expect(changes.rowCounts == plain.rowCounts)
      }
      list = new
    }
  }
}

extension Changes.Op {
  fileprivate var isUpdateOfSection: Bool {
    switch self {
    case .reconfigureSections, .reloadSections: true
    default: false
    }
  }

  fileprivate var isUpdateOfRow: Bool {
    switch self {
    case .reconfigureItems, .reloadItems: true
    default: false
    }
  }
}

/// An item whose identity is stored, in a tuple, and computed.
struct Titled: Identifiable, Equatable {
  var id: String
  var number: Int
  var names: (String, Int)
  var shout: String { id.uppercased() }

  init(id: String, number: Int) {
    self.id = id
    self.number = number
    names = (id, number)
  }

  static func == (a: Titled, b: Titled) -> Bool { a.id == b.id && a.number == b.number }
}
