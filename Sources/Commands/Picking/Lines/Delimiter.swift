/// What separates the fields of a line.
enum Delimiter: Sendable {
  /// Blanks, which belong to the field before them, as in AWK.
  case blanks
  case text([UInt8])
  case pattern(FieldPattern)

  /// A compiled extended regular expression of POSIX.
  final class FieldPattern: @unchecked Sendable {
    private var compiled = regex_t()

    init?(_ pattern: String) {
      guard regcomp(&compiled, pattern, REG_EXTENDED) == 0 else { return nil }
    }

    deinit { regfree(&compiled) }

    /// The first occurrence in a text that ends with a NUL.
    func firstRange(in text: UnsafePointer<CChar>) -> Range<Int>? {
      var match = regmatch_t()
      guard regexec(&compiled, text, 1, &match, 0) == 0, match.rm_eo > match.rm_so else {
        return nil
      }
      return Int(match.rm_so)..<Int(match.rm_eo)
    }
  }

  /// Reads the value of `--delimiter`, a text or a regular expression.
  ///
  /// - Throws: If the expression is invalid.
  init(_ value: String) throws(CommandProblem) {
    let special = Set(".+*?()|[]{}^$\\")
    let plain = value.substituting("\\t", by: "\t")
    guard plain.count > 1, plain.contains(where: { special.contains($0) }) else {
      self = .text(Array(plain.utf8))
      return
    }
    var pattern = plain
    for (escape, meaning) in [
      ("\\s", "[[:space:]]"), ("\\S", "[^[:space:]]"), ("\\d", "[0-9]"), ("\\w", "[[:alnum:]_]"),
    ] {
      pattern = pattern.substituting(escape, by: meaning)
    }
    guard let compiled = FieldPattern(pattern) else {
      throw CommandProblem(words: "--delimiter \(value) is not a regular expression")
    }
    self = .pattern(compiled)
  }

  /// The ranges of the fields of a line, each with the delimiter after it.
  func fields(of line: ArraySlice<UInt8>) -> [Range<Int>] {
    switch self {
    case .blanks: return Self.words(of: line)
    case .text(let text):
      guard let first = text.first else { return [line.startIndex..<line.endIndex] }
      var fields: [Range<Int>] = []
      var (start, index) = (line.startIndex, line.startIndex)
      while index + text.count <= line.endIndex {
        if line[index] == first, line[index..<index + text.count].elementsEqual(text) {
          index += text.count
          fields.append(start..<index)
          start = index
        } else {
          index += 1
        }
      }
      return fields + [start..<line.endIndex]
    case .pattern(let pattern):
      var fields: [Range<Int>] = []
      var start = line.startIndex
      // A NUL would end the text early.
      let text = line.map { CChar(bitPattern: $0 == 0 ? 1 : $0) } + [0]
      text.withUnsafeBufferPointer { text in
        while start < line.endIndex,
          let found = pattern.firstRange(in: text.baseAddress! + (start - line.startIndex))
        {
          fields.append(start..<start + found.upperBound)
          start += found.upperBound
        }
      }
      return fields + [start..<line.endIndex]
    }
  }

  private static func words(of line: ArraySlice<UInt8>) -> [Range<Int>] {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A }
    var fields: [Range<Int>] = []
    var index = line.startIndex
    while index < line.endIndex, isBlank(line[index]) { index += 1 }
    while index < line.endIndex {
      let start = index
      while index < line.endIndex, !isBlank(line[index]) { index += 1 }
      while index < line.endIndex, isBlank(line[index]) { index += 1 }
      fields.append(start..<index)
    }
    return fields
  }

  /// A field without the delimiter at its end.
  func withoutDelimiter(_ field: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    switch self {
    case .blanks:
      var field = field
      while let last = field.last, last == 0x20 || last == 0x09 || last == 0x0A {
        field.removeLast()
      }
      return field
    case .text(let text):
      return !text.isEmpty && field.count >= text.count
        && field.suffix(text.count).elementsEqual(text)
        ? field.dropLast(text.count) : field
    case .pattern(let pattern):
      let text = field.map { CChar(bitPattern: $0 == 0 ? 1 : $0) } + [0]
      return text.withUnsafeBufferPointer { text in
        var start = 0
        while start < field.count, let found = pattern.firstRange(in: text.baseAddress! + start) {
          if start + found.upperBound == field.count {
            return field.prefix(start + found.lowerBound)
          }
          start += found.upperBound
        }
        return field
      }
    }
  }
}
