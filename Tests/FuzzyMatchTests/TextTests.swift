import Testing

@testable import FuzzyMatch
@testable import listd_fuzz

/// Character tables, decoding and offsets.
@Suite struct TextTests {
  /// Ill-formed UTF-8 is read as the standard library reads it.
  @Test func bytes() {
    var random = SplitMix(state: 1)
    let bytes: [UInt8] = [
      0x61, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xDF, 0xE0, 0xE2, 0xED, 0xEF,
      0xF0,
      0xF1, 0xF4, 0xF5, 0xFF,
    ]
    for _ in 0..<20_000 {
      let text = (0..<random.next(below: 9)).map { _ in bytes[random.next(below: bytes.count)] }
      var row = RowText()
      row.append(utf8: text.span)
      #expect(row == RowText(String(decoding: text, as: UTF8.self)), "\(text)")
    }
  }

  /// The classes and folded forms of all code points are those of the generated runs.
  @Test func tables() {
    let table = CharacterTable.shared
    var run = 0
    let runs = UnicodeTables.classRuns
    var folds: [UInt32: UInt32] = [:]
    for index in stride(from: 0, to: UnicodeTables.foldRuns.count, by: 4) {
      let numbers = UnicodeTables.foldRuns[index..<index + 4].map { Int($0) }
      for point in stride(from: numbers[0], through: numbers[1], by: numbers[2]) {
        folds[UInt32(point)] = UInt32(point + numbers[3])
      }
    }
    let delimiters = Set("/,:;|".unicodeScalars.map(\.value))
    var wrong = 0
    for point in 0..<0x11_0000 as Range<UInt32> {
      while run + 1 < runs.count, runs[run + 1] >> 3 <= point { run += 1 }
      let expected =
        delimiters.contains(point) ? .delimiter : CharacterClass(rawValue: UInt16(runs[run] & 7))
      if table.characterClass(point) != expected { wrong += 1 }
      if table.fold(point) != folds[point] ?? point { wrong += 1 }
    }
    #expect(wrong == 0)
  }

  /// The table and the standard library agree on letters that are known to both.
  @Test func lettersOfTheStandardLibrary() {
    let table = CharacterTable.shared
    for point in 0..<0x2_0000 as Range<UInt32> {
      guard let scalar = Unicode.Scalar(point), let age = scalar.properties.age, age.major < 15
      else { continue }
      let kind = table.characterClass(point)
      let category = scalar.properties.generalCategory
      let lower = scalar.properties.lowercaseMapping.unicodeScalars
      var agree = (kind == .upper) == [.uppercaseLetter, .titlecaseLetter].contains(category)
      if (kind == .white) != scalar.properties.isWhitespace { agree = false }
      // Cherokee folds to its capitals.
      if category == .uppercaseLetter, lower.count == 1, !(0x13A0...0x13F5).contains(point) {
        if table.fold(point) != lower.first?.value { agree = false }
      }
      if !agree { Issue.record("U+\(String(point, radix: 16))") }
    }
  }

  @Test func offsets() throws {
    let text = "aé—😀b"
    let match = try #require(Query("—😀").match(in: text))
    #expect(match.ranges == [[2..<4]])
    let row = RowText(text)
    #expect(row.convert(match.ranges[0], to: .utf32) == [2..<4])
    #expect(row.convert(match.ranges[0], to: .utf16) == [2..<5])
    #expect(row.convert(match.ranges[0], to: .utf8) == [3..<10])
    #expect(match.ranges(in: text).map { text[$0] } == ["—😀"])
  }

  @Test func members() throws {
    let row = RowText(members: ["Sources", "", "main.swift"])
    #expect(row.memberCount == 3 && row.string(ofMember: 2) == "main.swift")
    let match = try #require(Query("^main src swift$").match(in: row))
    #expect(match.ranges == [[0..<1, 3..<5], [], [0..<4, 5..<10]])
    #expect(row.convert(match.ranges[2], ofMember: 2, to: .utf16) == [0..<4, 5..<10])
    // A term matches within one member. A negated term must not match any.
    #expect(Query("'smain").match(in: row) == nil && Query("mw").match(in: row) != nil)
    #expect(Query("!main").match(in: row) == nil && Query("!^swift").match(in: row) != nil)
  }
}
