import ListDiff
import Testing

@testable import listd_fuzz

/// The test cases of other libraries as data: pairs of lists, and the number of operations on
/// single rows that they need. Our changes must not need more.
///
/// Promise: No more operations than other libraries need on the cases of their own tests; as few
///   deletes and inserts as the standard library.
@Suite struct PeerCaseTests {
  struct PeerCase: CustomTestStringConvertible, Sendable {
    var old: String
    var new: String
    var operations: Int
    var testDescription: String { "\(old) → \(new)" }
  }

  static func cases(_ all: [(String, String, Int)]) -> [PeerCase] {
    all.map { PeerCase(old: $0.0, new: $0.1, operations: $0.2) }
  }

  /// Cases of Differ, with moves and without.
  static let differ = cases([
    ("sitting", "kitten", 5), ("🐩itt🍨ng", "kitten", 5), ("1234", "ABCD", 8), ("1234", "", 4),
    ("", "1234", 4), ("Hi", "Oh Hi", 3), ("Hi", "Hi O", 2), ("Oh Hi", "Hi", 3), ("Hi O", "Hi", 2),
    ("Wojtek", "Wojciech", 6), ("1234", "1234", 0), ("", "", 0), ("gitten", "sitting", 4),
    ("Oh Hi", "Hi Oh", 3), ("Hi Oh", "Oh Hi", 3), ("12345", "12435", 1), ("1362", "31526", 3),
  ])

  static let differWithoutMoves = cases([
    ("kitten", "sitting", 5), ("🐩itt🍨ng", "kitten", 5), ("1234", "ABCD", 8),
    ("Oh Hi", "Hi Oh", 6), ("Wojtek", "Wojciech", 6), ("1362", "31526", 5), ("Hi", "Oh Hi", 3),
  ])

  /// Cases of DeepDiff. Its replacements are a delete and an insert here.
  static let deepDiff = cases([
    ("", "", 0), ("", "abc", 3), ("abc", "", 3), ("abc", "aBc", 2), ("abc", "ABC", 6),
    ("abc", "aB", 3), ("abc", "cba", 2), ("a", "ba", 1), ("sitting", "kitten", 5),
    ("abcdef", "def", 3), ("abcd", "cdef", 4), ("abc", "d", 4), ("a", "b", 2),
    ("12345", "15234", 4), ("15234", "12345", 4), ("34152", "51324", 5), ("321", "143", 4),
    ("abc", "a", 2), ("1302", "0231", 4), ("2013", "1302", 4),
  ])

  /// Cases of DifferenceKit.
  static let differenceKit = cases([
    ("", "", 0), ("012", "02", 1), ("012", "", 3), ("012", "0123", 1), ("", "012", 3),
    ("012", "120", 1), ("012", "201", 1), ("0123", "3210", 3), ("0120", "04012", 2),
    ("01", "02", 2),
  ])

  /// More cases of this kind.
  static let others = cases([
    ("12", "21", 1), ("2134", "1432", 3), ("0123456", "2345671", 4), ("12345", "53214", 4),
    ("123", "3514", 4), ("12", "1234", 2), ("1234", "", 4), ("112", "12", 1), ("7", "77", 1),
    ("8901234", "9138762", 7), ("abcdefghij", "jihgfedcba", 9),
  ])

  @Test(arguments: differ + deepDiff + differenceKit + others)
  func noMoreOperationsThanOtherLibraries(_ example: PeerCase) throws {
    let (old, new) = (Array(example.old), Array(example.new))
    let changes = Changes(from: old, to: new)
    let counts = changes.rowCounts
    #expect(counts.deletes + counts.inserts + counts.moves <= example.operations)
    #expect(counts.updates == 0)
    #expect(try changes.applying(to: old) { new[$0.row] } == new)
    #expect(try changes.inverse.applying(to: new) { old[$0.row] } == old)
    #expect(try changes.steps(from: old, to: new).last?.data ?? new == new)
    #expect(changes.stages.count <= 1)
  }

  @Test(arguments: differWithoutMoves)
  func noMoreOperationsWithoutMoves(_ example: PeerCase) throws {
    let (old, new) = (Array(example.old), Array(example.new))
    let changes = Changes(from: old, to: new, moves: false)
    #expect(changes.rowCounts.deletes + changes.rowCounts.inserts <= example.operations)
    #expect(changes.rowCounts.moves == 0)
    #expect(try changes.applying(to: old) { new[$0.row] } == new)
  }

  /// A case of Differ's nested lists or RxDataSources' sections: the sections with their rows, and
  /// the number of sections and of rows that are deleted, inserted and moved.
  struct SectionCase: Sendable {
    var old: [(Character, String)]
    var new: [(Character, String)]
    var sections: Int
    var rows: Int
  }

  static let sectionCases: [SectionCase] = [
    SectionCase(old: [], new: [("a", "12")], sections: 1, rows: 2),
    SectionCase(old: [("a", "12")], new: [], sections: 1, rows: 2),
    SectionCase(
      old: [("a", "1"), ("b", "2")], new: [("b", "2"), ("a", "1")], sections: 1, rows: 0),
    SectionCase(
      old: [("a", "12"), ("b", "34")], new: [("a", "124"), ("b", "3")], sections: 0, rows: 1),
    SectionCase(old: [("a", "123")], new: [("a", "1"), ("b", "23")], sections: 1, rows: 2),
    SectionCase(old: [("a", "1"), ("b", "23")], new: [("a", "123")], sections: 1, rows: 2),
    SectionCase(
      old: [("a", "12"), ("b", "3"), ("c", "45")], new: [("c", "54"), ("a", "12"), ("d", "3")],
      sections: 3, rows: 2),
    SectionCase(
      old: [("1", "ab"), ("2", "cd"), ("3", "")], new: [("3", "a"), ("2", "dc"), ("1", "b")],
      sections: 2, rows: 2),
  ]

  @Test(arguments: sectionCases) func noMoreOperationsOnSections(_ example: SectionCase) throws {
    typealias Part = Changes.Section<Character, Character>
    let old = example.old.map { Part(id: $0.0, items: Array($0.1)) }
    let new = example.new.map { Part(id: $0.0, items: Array($0.1)) }
    let changes = Changes(from: old, to: new)
    let (rows, sections) = (changes.rowCounts, changes.sectionCounts)
    #expect(rows.deletes + rows.inserts + rows.moves <= example.rows)
    #expect(sections.deletes + sections.inserts + sections.moves <= example.sections)
    let made = try changes.applying(toSections: old) {
      new[$0]
    } inserting: {
      new[$0.section].items[$0.row]
    }
    #expect(made == new)
    #expect(changes.stages.count <= 3)
  }

  /// Compares the numbers of deletions and insertions with those of the standard library.
  @Test func asFewOperationsAsTheStandardLibrary() throws {
    var random = SplitMix(seed: 90)
    for _ in 0..<2_000 {
      let old = Array((0..<Int.random(in: 0...12, using: &random)).shuffled(using: &random))
      var new = old.filter { _ in Int.random(in: 0..<4, using: &random) > 0 }
      new += (20..<20 + Int.random(in: 0...4, using: &random))
      if Bool.random(using: &random) { new.shuffle(using: &random) }
      let changes = Changes(from: old, to: new, moves: false)
      let difference = new.difference(from: old)
      #expect(changes.rowCounts.deletes == difference.removals.count)
      #expect(changes.rowCounts.inserts == difference.insertions.count)
      #expect(try changes.applying(to: old) { new[$0.row] } == old.applying(difference))
    }
  }

  /// An empty list needs no allocation, and a small change very few.
  ///
  /// Promise: Lists in which at most one element changes allocate hardly any memory.
  @Test func smallListsAllocateFewBlocks() throws {
    struct Row: Identifiable, Equatable {
      var id: Int
      var text = 0
    }
    let rows = (0..<20).map { Row(id: $0) }
    var updated = rows
    updated[7].text = 1
    let lists: [(new: [Row], blocks: Int)] = [
      (rows, 0), (rows + [Row(id: 30)], 3), (Array(rows.dropLast(3)), 3), (updated, 4), ([], 2),
    ]
    for list in lists {
      // The first call also makes the runtime's own allocations.
      var changes: Changes? = Changes(from: rows, to: list.new)
      let blocks = try Allocations.count { changes = Changes(from: rows, to: list.new) }
      #expect(blocks <= list.blocks, "\(changes?.description ?? "")")
    }
    let empty: [Row] = []
    #expect(try Allocations.count { _ = Changes(from: empty, to: empty) } == 0)
  }
}
