import ListDiff
import Testing

@testable import ListState

/// Checks what composites share with their first sources.
///
/// Promise: A composite of one list takes no memory for its items beside those of the list, also after edits.
@Suite struct SharedItemsTests {
  private func compose(
    _ name: String, of sources: [String], _ lists: inout Lists
  ) throws(ListFailure) {
    _ = try lists.store.compose(
      Array(name.utf8), of: sources.map { Array($0.utf8) }, ChangeRequest())
  }

  /// Makes a list that is kept as a tree, of 600 items, of which some were edited.
  private func makeList(_ lists: inout Lists) throws(ListFailure) {
    var names: [String] = []
    for first in ["a", "b", "c", "d", "e", "f"] {
      for rest in 0..<100 {
        let letters = [rest / 10, rest % 10].map { UInt8(97 + $0) }
        names.append(first + String(decoding: letters, as: UTF8.self))
      }
    }
    try lists.apply("A/m: " + names.joined(separator: " ") + " | B:", to: "p")
    try append("x", &lists)
  }

  private func append(_ word: String, _ lists: inout Lists) throws(ListFailure) {
    var edits = Edits()
    edits.newContent = lists.snapshot("A: \(word)")
    edits.edits = [.appendItems(EditContent(items: 0..<1, sections: 0..<0), section: nil)]
    _ = try lists.store.edit(Array("p".utf8), &edits, ChangeRequest())
  }

  @Test func aCompositeOfOneListSharesItsColumns() throws {
    var lists = Lists()
    try makeList(&lists)
    try compose("c", of: ["p"], &lists)
    func areShared(_ name: String) throws -> Bool {
      let (source, shown) = (try lists.list("p").shownItems, try lists.list(name).shownItems)
      return shown.arrangement.rows.span.isIdentical(to: source.arrangement.rows.span)
        && shown.payloads.span.isIdentical(to: source.payloads.span)
        && shown.traits.span.isIdentical(to: source.traits.span)
    }
    #expect(try areShared("c"))
    // A composite follows an edit, and shares the items again when they are gathered.
    try compose("d", of: ["p"], &lists)
    try append("y", &lists)
    #expect(try !areShared("d"))
    try compose("e", of: ["p"], &lists)
    #expect(try areShared("c") && areShared("d") && areShared("e"))
    for name in ["p", "c", "d"] {
      let tree = lists.store.peek(Array(name.utf8))?.tree
      #expect(tree != nil)
      tree?.checkInvariants()
    }
    let count = lists.store.ids.count
    try append("z", &lists)
    #expect(lists.store.ids.count == count + 1, "a new item has one key in all lists")
    lists.store.checkInvariants()
  }

  @Test func itemsOfOtherSourcesHaveKeysOfTheirOwn() throws {
    var lists = Lists()
    try lists.apply("A: a b c", to: "p")
    try lists.apply("A: b c d", to: "q")
    try compose("c", of: ["p"], &lists)
    func keys(_ name: String) throws -> [UInt32] {
      try lists.list(name).shownItems.arrangement.rows
    }
    #expect(try keys("c") == keys("p"))
    // The first source keeps its keys wherever it is.
    try compose("c", of: ["q", "p"], &lists)
    #expect(try Array(keys("c")[3...]) == keys("p"))
    #expect(try Set(keys("c")).count == 6)
    try compose("d", of: ["c", "q"], &lists)
    #expect(try Set(keys("d")).count == 9)
    func paths() throws -> [[String]] {
      let list = try lists.list("d")
      return try keys("d").map { key in
        lists.store.path(ofItem: key, in: list).map { String(decoding: $0, as: UTF8.self) }
      }
    }
    #expect(
      try paths() == [["c", "q"], ["c", "p"], ["q"]].flatMap { Array(repeating: $0, count: 3) })
    try compose("c", of: ["q"], &lists)
    try compose("c", of: ["p"], &lists)
    #expect(try keys("c") == keys("p"))
    lists.store.checkInvariants()
  }
}
