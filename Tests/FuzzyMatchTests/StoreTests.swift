import Testing

@testable import FuzzyMatch
@testable import listd_fuzz

/// Random changes and searches of a store, compared with a reference search.
///
/// Promise: After any edits of the rows, a search is correct, costs the same, and can be stopped.
///   Also `SearchTests`.
@Suite struct StoreTests {
  private static let alphabets = [
    "ab", "abAB/ ", "abc dAB/.-_19Kk", "äÄaßẞſsKkKσςΣθϑΘ ", "日本東京設定語a", "я Жжab",
    "a b_", "aB \u{A0}\u{3000}\u{0B}",
  ]

  private static func text(
    _ random: inout SplitMix, _ alphabet: [Unicode.Scalar], _ longest: Int
  ) -> [Unicode.Scalar] {
    (0..<random.next(below: longest + 1)).map { _ in alphabet[random.next(below: alphabet.count)] }
  }

  private static func query(_ random: inout SplitMix, _ alphabet: [Unicode.Scalar]) -> String {
    let signs = ["", "", "", "", "'", "'", "^", "^", "!", "!^", "!'"]
    var words: [String] = []
    for _ in 0...random.next(below: 3) {
      let text = text(&random, alphabet, 1 + random.next(below: 6))
      let head = signs[random.next(below: signs.count)]
      let tail = ["", "", "", "", "$", "$", head.hasSuffix("'") ? "'" : ""][random.next(below: 7)]
      let word = String(String.UnicodeScalarView(text)).replacing(" ", with: "\\ ")
      words.append(head + word + tail)
      if random.next(below: 5) == 0 { words.append("|") }
    }
    return words.joined(separator: " ")
  }

  @Test(arguments: 0..<16 as Range<UInt64>)
  func randomRows(_ seed: UInt64) throws {
    var random = SplitMix(state: seed)
    let alphabet = Array(Self.alphabets[Int(seed) % Self.alphabets.count].unicodeScalars)
    var rows = CheckedRows()
    // Later characters share bytes with these.
    if seed & 8 == 8 { rows.set(99, [(0..<130).map { Unicode.Scalar(0xAC00 + $0)! }]) }
    for _ in 0..<20 {
      for _ in 0..<random.next(below: 8) {
        let row = Int32(random.next(below: 40))
        if random.next(below: 4) == 0 {
          rows.remove(row)
        } else {
          let members = seed % 5 == 1 ? 1 + random.next(below: 3) : 1
          rows.set(row, (0..<members).map { _ in Self.text(&random, alphabet, 24) })
        }
      }
      let rule = CaseRule.allCases[random.next(below: 3)]
      try rows.search(Self.query(&random, alphabet), rule, count: 1 + random.next(below: 9))
    }
  }

  /// Rows of all lengths, in blocks of all widths and too long for blocks, compared with `match`.
  @Test(arguments: [1, 2, 4, 6, 9, 30]) func longRows(_ length: Int) {
    var random = SplitMix(state: UInt64(length))
    let alphabet = Array("abcdefgh/Bx1".unicodeScalars)
    var texts = TextStore()
    var rows: [RowText] = []
    for row in 0..<24 {
      let count =
        row == 7 ? 4_096 : row == 8 ? 4_097 : 60 + random.next(below: [20, 200, 600][row % 3])
      var text = String.UnicodeScalarView()
      for _ in 0..<count { text.append(alphabet[random.next(below: alphabet.count)]) }
      rows.append(RowText(String(text)))
      texts.set(Int32(row), to: rows[row])
    }
    for round in 0..<4 {
      var letters = String.UnicodeScalarView()
      for _ in 0..<length { letters.append(alphabet[random.next(below: 8)]) }
      let word = String(letters)
      let queries = [word, "'\(word)", "!\(word)", "'\(word)' | ^\(word) | \(word)$"]
      let query = Query(queries[round])
      let found = texts.matches(of: query).rows.sorted { $0.row < $1.row }
      let expected = rows.indices.compactMap { row in
        query.match(in: rows[row]).map { RankedRow(row: Int32(row), score: Int32($0.score)) }
      }
      #expect(found == expected, "\(word)")
      for count in [1, 5, 40] {
        let best = texts.best(
          count, of: query, by: RowOrder(places: rows.indices.map { -Int32($0) }), checking: {})
        #expect(best.rows == texts.best(count, of: texts.matches(of: query), precedes: >))
        #expect(best.count == expected.count)
      }
    }
  }

  /// The best of many rows, some with losses of more than a byte holds, while a query is typed and
  /// deleted.
  @Test(arguments: ["srcmain", "a/b c\\ d", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"])
  func bestRowsWithoutOtherScores(_ typed: String) {
    var random = SplitMix(state: UInt64(typed.utf8.count))
    let words = ["src", "main", "lib", "a/b", "c d", "xxxxx", "xxx", "r", "m", "Scan", " "]
    var texts = TextStore()
    for row in 0..<500 as Range<Int32> {
      let text = (0...random.next(below: 14)).map { _ in words[random.next(below: words.count)] }
      texts.set(row, to: text.joined(separator: row % 3 == 0 ? "/" : ""))
    }
    let lengths = Array(1...typed.count)
    for length in lengths + lengths.reversed() {
      let query = Query(String(typed.prefix(length)))
      var fresh = texts
      fresh.kept = nil
      let matches = fresh.matches(of: query)
      for count in [1, 40, 5_000] {
        let best = texts.best(count, of: query, checking: {})
        #expect(best.rows == fresh.best(count, of: matches), "\(query)")
        #expect(best.count == matches.count)
      }
    }
  }

  /// A term that is too long for scoring in blocks.
  @Test func longTerms() {
    let word = String(repeating: "ab", count: 700)
    let rows = ["x" + word, "ab" + word + "b", "ab", "a/" + word + "/b"]
    var texts = TextStore(rows)
    for head in ["", "'", "^"] {
      let query = Query(head + word)
      let found = texts.matches(of: query).rows.sorted { $0.row < $1.row }.map { Int($0.score) }
      #expect(found == rows.compactMap { query.match(in: $0)?.score })
    }
  }

  @Test func rowsAreAddedAndRemoved() {
    var texts = TextStore(["one", "two", "three"])
    #expect(texts.count == 3 && texts.contains(2) && !texts.contains(3))
    #expect(texts.remove(1) && !texts.remove(1) && !texts.remove(7))
    texts.set(9, to: "nine")
    texts.set(0, to: String(repeating: "long ", count: 1_000))
    #expect(texts.count == 3 && texts.text(of: 9)?.string() == "nine")
    #expect(texts.text(of: 0)?.count == 5_000 && texts.text(of: 1) == nil)
    #expect(Set(texts.matches(of: Query("n")).rows.map(\.row)) == [0, 9])
    #expect(Set(texts.matches(of: Query("")).rows.map(\.row)) == [0, 2, 9])
    texts.remove(0)
    #expect(texts.matches(of: Query("n")).rows.map(\.row) == [9])
    #expect(TextStore().best(3, of: texts.matches(of: Query("q"))) == [])
  }

  /// The memory of the store is as documented for rows as long as paths, also after edits.
  @Test func memory() {
    var random = SplitMix(state: 3)
    var texts = TextStore()
    var lengths: [Int32: Int] = [:]
    let letters = Array("abcdefgh/".unicodeScalars)
    func set(_ row: Int32) {
      let count = 60 + random.next(below: 70)
      let text = (0..<count).map { _ in letters[random.next(below: 9)] }
      texts.set(row, to: String(String.UnicodeScalarView(text)))
      lengths[row] = count
    }
    for row in 0..<12_000 as Range<Int32> { set(row) }
    for _ in 0..<4_000 { set(Int32(random.next(below: 12_000))) }
    for row in 11_000..<12_000 as Range<Int32> {
      texts.remove(row)
      lengths[row] = nil
    }
    let length = lengths.values.reduce(0, +)
    // The unused lanes of the last block of each length class matter less with more rows.
    #expect(texts.byteCount - 10 * lengths.count < length * 168 / 100)
  }

  /// Rows that begin like those before them, which share memory, in any order of changes.
  @Test(arguments: 0..<8 as Range<UInt64>)
  func rowsWithTheSameBeginning(_ seed: UInt64) {
    var random = SplitMix(state: seed)
    var texts = TextStore()
    var rows: [Int32: String] = [:]
    let folders = ["src/", "src/main/", "Sources/FuzzyMatch/", "Sources/FuzzyMatch/Kernels/"]
    for step in 0..<1_500 {
      // Whole folders are added, and then single rows are changed.
      let isAdded = step < 600 || random.next(below: 3) > 0
      let row = step < 600 ? Int32(step) : Int32(random.next(below: 700))
      let folder = folders[step < 600 ? step / 150 : random.next(below: folders.count)]
      rows[row] = isAdded ? folder + "file\(100 + random.next(below: 900)).swift" : nil
      if let text = rows[row] { texts.set(row, to: text) } else { texts.remove(row) }
      guard step % 100 == 99 else { continue }
      #expect(texts.count == rows.count)
      #expect(rows.allSatisfy { texts.text(of: $0.key)?.string() == $0.value })
      for word in ["smf", "'main", "file1 7", "Kern", ".swift$", "^src/m"] {
        let query = Query(word)
        let found = texts.matches(of: query).rows.sorted { $0.row < $1.row }
        let expected = rows.keys.sorted().compactMap { row in
          query.match(in: rows[row]!).map { RankedRow(row: row, score: Int32($0.score)) }
        }
        #expect(found == expected, "\(word)")
      }
    }
  }

  /// Rows that are replaced again and again, in blocks that share memory with each other, and in full ones.
  @Test(arguments: [[31], [31, 3], [40, 31, 30], [17, 0]]) func rowsThatAreReplacedOften(
    _ rows: [Int32]
  ) {
    var texts = TextStore()
    func text(_ row: Int32, _ number: Int) -> String {
      "Sources/FuzzyMatch/file\(1_000 + number) \(row % 10)"
    }
    for row in 0..<48 as Range<Int32> { texts.set(row, to: text(row, 7)) }
    let size = texts.byteCount
    for step in 0..<20_000 {
      let row = rows[step % rows.count]
      // Now and then a row that begins otherwise, in a block as wide.
      texts.set(
        row, to: step % 5 == 4 ? String(text(row, step % 99).reversed()) : text(row, step % 99))
    }
    #expect(texts.byteCount < 3 * size)
    for row in 0..<48 as Range<Int32> where !rows.contains(row) {
      #expect(texts.text(of: row)?.string() == text(row, 7))
    }
  }

  /// Promise: Texts that begin like those before them, such as paths in the order of their folders, take half of the
  ///   memory of others.
  @Test func memoryOfTheSameBeginning() {
    let names = (0..<4_096).map { "module\(1_000 + $0 / 512)/folder/file\(1_000 + $0 % 512).c" }
    let ordered = TextStore(names).byteCount
    let mixed = TextStore(names.indices.map { names[$0 * 1_001 % names.count] }).byteCount
    #expect(ordered * 9 < mixed * 5, "\(ordered) \(mixed)")
  }

  @Test func orderOfTheBest() {
    var texts = TextStore(["xab", "ab", "a b", "abc", "ab", "xxab"])
    let matches = texts.matches(of: Query("ab"))
    #expect(matches.count == 6)
    #expect(texts.best(10, of: matches).map(\.row) == [1, 4, 3, 2, 0, 5])
    #expect(texts.best(3, of: matches) { $0 > $1 }.map(\.row) == [4, 1, 3])
    #expect(texts.length(of: 3, matching: matches.query) == 3)
    #expect(texts.length(of: 3, matching: Query("!x")) == 0)
  }
}
