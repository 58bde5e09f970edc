import ListDiff
import Testing

@testable import listd_fuzz

/// Ids of all types are the same if they compare equal, whatever their bytes and hashes are.
@Suite struct IdentityTests {
  /// A type whose values all have the same hash.
  private struct Colliding: Hashable {
    let number: Int
    func hash(into hasher: inout Hasher) {}
  }

  @Test func canonicallyEquivalentTexts() {
    let old = [
      "caf\u{E9}", "\u{212A}elvin", "plain", "\u{E5}", "some longer text with \u{E9} in it",
    ]
    let new = [
      "some longer text with e\u{301} in it", "a\u{30A}", "plain", "Kelvin", "cafe\u{301}",
    ]
    let changes = Changes(from: old, to: new, id: \.self)
    #expect(changes.rowCounts == Counts(moves: 4))
  }

  @Test func textsOfAllLengths() {
    let old = (0..<100).map { String(repeating: "x", count: $0) }
    let changes = Changes(from: old, to: old.reversed(), id: \.self)
    #expect(changes.rowCounts == Counts(moves: 99))
    let other = (0..<100).map { "y" + String(repeating: "x", count: $0) }
    #expect(
      Changes(from: old, to: other, id: \.self).rowCounts == Counts(deletes: 100, inserts: 100))
  }

  @Test func idsWithOneHash() {
    let old = (0..<20).map { Colliding(number: $0) }
    let changes = Changes(from: old, to: old.reversed(), id: \.self)
    #expect(changes.rowCounts == Counts(moves: 19))
  }

  @Test func idsThatAreNotEqualToThemselves() {
    let changes = Changes(from: [1, .nan, 2], to: [2, .nan, 1], id: \.self)
    #expect(changes.rowCounts == Counts(deletes: 1, inserts: 1, moves: 1))
  }

  @Test(arguments: [1, -1]) func numbersOfEachType(_ sign: Int) {
    func check<Number: FixedWidthInteger>(_ type: Number.Type) {
      let old = (0..<60).map { Number(truncatingIfNeeded: $0 * sign) }
      let changes = Changes(from: old, to: Array(old.reversed()), id: \.self)
      #expect(changes.rowCounts == Counts(moves: 59), "\(type)")
    }
    check(Int.self)
    check(UInt.self)
    check(Int64.self)
    check(UInt64.self)
    check(Int32.self)
    check(UInt32.self)
    check(Int8.self)
    check(UInt16.self)
  }

  @Test func noSectionsOnOneSide() {
    typealias Group = StepInvariants.Group
    let group = Group(id: 1, items: [StepInvariants.Item(id: 1)])
    #expect(Changes(fromSections: [], to: [group]).sectionCounts == Counts(inserts: 1))
    #expect(Changes(fromSections: [group], to: []).sectionCounts == Counts(deletes: 1))
    #expect(Changes(fromSections: [Group](), to: []).isEmpty)
  }

  /// A row that would move is deleted and inserted instead, also if its content changed.
  @Test func unpairedRowsAreNotUpdated() throws {
    typealias Item = StepInvariants.Item
    let old = (0..<9).map { Item(id: $0) }
    let new = [Item(id: 8, content: 1)] + old[..<8].map { Item(id: $0.id, content: $0.id % 2) }
    let changes = Changes(from: old, to: new, moves: false)
    #expect(changes.rowCounts == Counts(deletes: 1, inserts: 1, updates: 4))
  }
}
