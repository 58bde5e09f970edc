/// Finds the words that differ between two similar lines.
enum WordMarks {
  /// Lines are compared with each other only if there are at most this many pairs, and with the
  /// line of the same number only if there are at most this many.
  static let mostPairs = 1024

  private static let mostWords = 400

  /// Pairs old lines with new ones, in order, such that the pairs have the most bytes of words in
  /// common. Lines that have less than two fifths in common are not paired.
  ///
  /// - Complexity: O(*p* · *w*²), where *p* is the number of pairs and *w* the number of words in a
  ///   line.
  static func pairs(_ old: [[UInt8]], _ new: [[UInt8]]) -> [(Int, Int)] {
    let left = old.map(distinctWords)
    let right = new.map(distinctWords)
    /// The number of bytes that two lines have in common; 0 if they are not alike.
    func likeness(_ i: Int, _ j: Int) -> Int {
      let words = left[i].intersection(right[j]).reduce(0) { $0 + $1.bytes.count }
      let all = [left[i], right[j]].map { $0.reduce(0) { $0 + $1.bytes.count } }.max()!
      if words > 0, words * 5 >= all * 2 { return words }
      // Lines may begin alike, but have few distinct words in common.
      let start = zip(old[i], new[j]).prefix { $0 == $1 }.count
      return start * 5 >= max(old[i].count, new[j].count) * 2 ? start : 0
    }
    guard old.count * new.count <= mostPairs else {
      return (0..<min(old.count, new.count)).filter { likeness($0, $0) > 0 }.map { ($0, $0) }
    }
    let width = new.count + 1
    var best = [Int](repeating: 0, count: (old.count + 1) * width)
    var shared = [Int](repeating: 0, count: old.count * new.count)
    for i in stride(from: old.count - 1, through: 0, by: -1) {
      for j in stride(from: new.count - 1, through: 0, by: -1) {
        let common = likeness(i, j)
        shared[i * new.count + j] = common
        best[i * width + j] = max(
          best[(i + 1) * width + j], best[i * width + j + 1],
          common > 0 ? best[(i + 1) * width + j + 1] + common : 0)
      }
    }
    var pairs: [(Int, Int)] = []
    var (i, j) = (0, 0)
    while i < old.count, j < new.count {
      let common = shared[i * new.count + j]
      if common > 0, best[i * width + j] == best[(i + 1) * width + j + 1] + common {
        pairs.append((i, j))
        i += 1
        j += 1
      } else if best[i * width + j] == best[(i + 1) * width + j] {
        i += 1
      } else {
        j += 1
      }
    }
    return pairs
  }

  /// A word of a line, and how often a word of letters occurs before it.
  private struct CountedWord: Hashable {
    var bytes: ArraySlice<UInt8>
    var repeats: Int
  }

  private static func distinctWords(_ line: [UInt8]) -> Set<CountedWord> {
    var counts: [ArraySlice<UInt8>: Int] = [:]
    var result: Set<CountedWord> = []
    for (_, word) in words(of: line) {
      let isLetters = kind(word[word.startIndex]) == .letter
      result.insert(CountedWord(bytes: word, repeats: isLetters ? counts[word, default: 0] : 0))
      counts[word, default: 0] += 1
    }
    return result
  }

  /// Highlights the words of two lines that are not in both.
  ///
  /// - Complexity: O(*w*²), where *w* is the number of words between the first and the last
  ///   difference; if there are too many, all of them are highlighted.
  static func mark(_ old: inout StyledText, _ new: inout StyledText) {
    let left = words(of: old.bytes)
    let right = words(of: new.bytes)
    var head = 0
    while head < min(left.count, right.count), left[head].1 == right[head].1 { head += 1 }
    var tail = 0
    while tail < min(left.count, right.count) - head,
      left[left.count - 1 - tail].1 == right[right.count - 1 - tail].1
    {
      tail += 1
    }
    let a = Array(left[head..<left.count - tail])
    let b = Array(right[head..<right.count - tail])
    let (keepsOld, keepsNew) = common(a, b)
    mark(a, keepsOld, in: &old, .old)
    mark(b, keepsNew, in: &new, .new)
  }

  private static func mark(
    _ words: [(Int, ArraySlice<UInt8>)], _ isKept: [Bool], in text: inout StyledText,
    _ style: StyledText.Style
  ) {
    var start: Int?
    var end = 0
    for (index, word) in words.enumerated() {
      if isKept[index] {
        if let start { text.mark(start..<end, style) }
        start = nil
      } else {
        if start == nil { start = word.0 }
        end = word.0 + word.1.count
      }
    }
    if let start { text.mark(start..<end, style) }
  }

  /// Returns which words are part of a longest common subsequence.
  private static func common(
    _ a: [(Int, ArraySlice<UInt8>)], _ b: [(Int, ArraySlice<UInt8>)]
  ) -> ([Bool], [Bool]) {
    var keeps = ([Bool](repeating: false, count: a.count), [Bool](repeating: false, count: b.count))
    guard a.count <= mostWords, b.count <= mostWords else { return keeps }
    let width = b.count + 1
    var best = [Int](repeating: 0, count: (a.count + 1) * width)
    for i in stride(from: a.count - 1, through: 0, by: -1) {
      for j in stride(from: b.count - 1, through: 0, by: -1) {
        best[i * width + j] =
          a[i].1 == b[j].1
          ? best[(i + 1) * width + j + 1] + 1
          : max(best[(i + 1) * width + j], best[i * width + j + 1])
      }
    }
    var (i, j) = (0, 0)
    while i < a.count, j < b.count {
      if a[i].1 == b[j].1 {
        keeps.0[i] = true
        keeps.1[j] = true
        i += 1
        j += 1
      } else if best[(i + 1) * width + j] >= best[i * width + j + 1] {
        i += 1
      } else {
        j += 1
      }
    }
    return keeps
  }

  private enum Kind { case letter, blank, other }

  private static func kind(_ byte: UInt8) -> Kind {
    if byte == 0x20 || byte == 0x09 { return .blank }
    if byte >= 0x80 || byte == 0x5F || byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 {
      return .letter
    }
    return .other
  }

  /// The words of a line with their offsets. Letters and digits form words, blanks form words, and
  /// every other character is a word.
  private static func words(of line: [UInt8]) -> [(Int, ArraySlice<UInt8>)] {
    var words: [(Int, ArraySlice<UInt8>)] = []
    var start = 0
    while start < line.count {
      let first = kind(line[start])
      var end = start + 1
      while first != .other, end < line.count, kind(line[end]) == first { end += 1 }
      words.append((start, line[start..<end]))
      start = end
    }
    return words
  }
}
