/// The kinds of characters that the score of a match distinguishes.
enum CharacterClass: UInt16 {
  case white, nonWord, delimiter, lower, upper, letter, number

  /// Whether the character is a letter or a number.
  var isWord: Bool { rawValue > CharacterClass.delimiter.rawValue }
}

/// The class of each code point, and its form after simple folding.
struct CharacterTable: Sendable {
  /// The table, which is built on first use.
  static let shared = CharacterTable()

  /// The page of `entries` that describes a code point, by the upper bits of the code point.
  private var pages: [UInt16]
  /// For each code point of a page the class in the lower three bits, a bit that is set if others fold
  /// to it, and above that an index of `distances`.
  private var entries: [UInt16] = []
  /// The distances by which folding moves code points.
  private var distances: [UInt32] = [0]

  private static let folded: UInt16 = 8
  private static let pageBits = 8
  private static let pageSize = 1 << pageBits
  private static let pageCount = 0x11_0000 >> pageBits

  private init() {
    pages = Array(repeating: 0, count: Self.pageCount)
    fillClasses()
    fillFolds()
    for delimiter in "/,:;|".unicodeScalars {
      change(delimiter.value) { _ in CharacterClass.delimiter.rawValue }
    }
  }

  /// Returns the class of a code point.
  @inline(__always)
  func characterClass(_ point: UInt32) -> CharacterClass {
    CharacterClass(rawValue: entry(point) & 7) ?? .nonWord
  }

  /// Reports whether a code point is white space.
  @inline(__always)
  func isWhite(_ point: UInt32) -> Bool { characterClass(point) == .white }

  /// Returns the folded form of a code point (Unicode, CaseFolding.txt, status C and S).
  @inline(__always)
  func fold(_ point: UInt32) -> UInt32 {
    point &+ distances[Int(entry(point) >> 4)]
  }

  /// Reports whether another code point folds to this one.
  func isFolded(_ point: UInt32) -> Bool { entry(point) & Self.folded != 0 }

  @inline(__always)
  private func entry(_ point: UInt32) -> UInt16 {
    entries[
      Int(pages[Int(point >> UInt32(Self.pageBits))]) * Self.pageSize
        + Int(point) & (Self.pageSize - 1)]
  }

  /// Creates the pages. All pages whose code points are of the same class are one page.
  private mutating func fillClasses() {
    var uniform: [UInt16: UInt16] = [:]
    let runs = UnicodeTables.classRuns
    var run = 0
    for page in 0..<Self.pageCount {
      let start = UInt32(page * Self.pageSize)
      while run + 1 < runs.count, runs[run + 1] >> 3 <= start { run += 1 }
      let end = start + UInt32(Self.pageSize)
      let number = UInt16(runs[run] & 7)
      let isUniform = run + 1 == runs.count || runs[run + 1] >> 3 >= end
      if isUniform, let known = uniform[number] {
        pages[page] = known
        continue
      }
      let made = UInt16(entries.count / Self.pageSize)
      if isUniform { uniform[number] = made }
      pages[page] = made
      var next = run
      for point in start..<end {
        while next + 1 < runs.count, runs[next + 1] >> 3 <= point { next += 1 }
        entries.append(UInt16(runs[next] & 7))
      }
    }
  }

  private mutating func fillFolds() {
    let runs = UnicodeTables.foldRuns
    for run in stride(from: 0, to: runs.count, by: 4) {
      let distance = UInt32(bitPattern: runs[run + 3])
      let index = distances.firstIndex(of: distance) ?? distances.count
      if index == distances.count { distances.append(distance) }
      for point in stride(from: runs[run], through: runs[run + 1], by: Int(runs[run + 2])) {
        change(UInt32(point)) { $0 & 15 | UInt16(index) << 4 }
        change(UInt32(point) &+ distance) { $0 | Self.folded }
      }
    }
  }

  /// Changes the entry of a code point.
  ///
  /// Its page is not shared: if folding moves a code point, its page has letters of more than one class.
  private mutating func change(_ point: UInt32, _ body: (UInt16) -> UInt16) {
    let page = pages[Int(point >> UInt32(Self.pageBits))]
    let index = Int(page) * Self.pageSize + Int(point) & (Self.pageSize - 1)
    entries[index] = body(entries[index])
  }
}
