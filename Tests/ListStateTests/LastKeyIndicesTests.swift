import JSONBytes
import ListState
import Testing

@Suite struct LastKeyIndicesTests {
  @Test func findsKeysOfTheColumnRecordedLast() {
    var keyIndices = LastKeyIndices()
    let column: [UInt32] = [5, 0, 9]
    #expect(keyIndices.index(of: 5, in: column) == nil)
    keyIndices.record(column) { _, _ in Issue.record("no key occurs twice") }
    #expect(column.map { keyIndices.index(of: $0, in: column) } == [0, 1, 2])
    #expect(
      keyIndices.index(of: 1, in: column) == nil && keyIndices.index(of: 100, in: column) == nil)
  }

  @Test func reportsRepeatedKeys() {
    var keyIndices = LastKeyIndices()
    var found: [[Int]] = []
    keyIndices.record([4, 4, 2, 4]) { found.append([$0, $1]) }
    #expect(found == [[0, 1], [0, 3]])
  }

  /// An entry of another column is never mistaken for one of this column.
  @Test func columnsAreNotConfused() {
    var keyIndices = LastKeyIndices()
    var columns: [[UInt32]] = []
    var random = SeededGenerator(seed: 20_261_120)
    for _ in 0..<200 {
      let column = (0..<UInt32.random(in: 1...40, using: &random)).shuffled(using: &random)
      keyIndices.record(column) { _, _ in Issue.record("no key occurs twice") }
      columns.append(column)
      for column in columns {
        for key in UInt32(0)..<45 {
          guard let index = keyIndices.index(of: key, in: column) else { continue }
          #expect(column[index] == key)
        }
      }
      for (index, key) in column.enumerated() {
        #expect(keyIndices.index(of: key, in: column) == index)
      }
    }
  }

  /// A reference finds its item whether the recorded keys are those of its list or of another one.
  @Test(arguments: [1, 2, 9, 40])
  func referencesFindItems(_ count: Int) throws {
    let words = "abcdef".flatMap { first in "abcdefghij".map { "\(first)\($0)" } }
    var lists = Lists()
    for name in ["one", "two"] {
      let order = name == "one" ? words : words.reversed()
      let snapshot = lists.snapshot("s/m: " + order.joined(separator: " "))
      _ = try lists.store.replace(Array(name.utf8), with: snapshot, ChangeRequest())
    }
    for name in ["two", "one", "two"] {
      let list = try lists.store.list(Array(name.utf8))
      let wanted = (0..<count).map { words[$0 * 7 % words.count] }
      let found = try lists.store.locate(
        wanted.map { lists.reference($0) } + [lists.reference("zz")], of: list)
      let expected = wanted.map { word -> Int? in
        let index = words.firstIndex(of: word)!
        return name == "one" ? index : words.count - 1 - index
      }
      #expect(found == expected + [nil])
    }
  }
}
