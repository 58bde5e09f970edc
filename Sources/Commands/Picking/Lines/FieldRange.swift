/// Consecutive fields, as `2`, `-1`, `2..`, `..-2`, `2..4` or `..` name them.
struct FieldRange: Sendable {
  /// The first and the last field, counted from 1, or from the end if negative; nil if there is no
  /// limit.
  private let first: Int?
  private let last: Int?

  /// Whether it is one field.
  private let isSingle: Bool

  init?(_ text: some StringProtocol) {
    guard let dots = text.range(ofFirst: "..") else {
      guard let number = Int(text), number != 0 else { return nil }
      (first, last, isSingle) = (number, number, true)
      return
    }
    let (before, after) = (text[..<dots.lowerBound], text[dots.upperBound...])
    first = Int(before)
    last = Int(after)
    isSingle = false
    guard first != 0, last != 0, first != nil || before.isEmpty, last != nil || after.isEmpty else {
      return nil
    }
  }

  /// Reads a list of ranges, separated by commas.
  static func list(_ value: String, of option: String) throws(CommandProblem) -> [FieldRange] {
    var ranges: [FieldRange] = []
    for part in value.split(separator: ",", omittingEmptySubsequences: false) {
      guard let range = FieldRange(part) else {
        throw CommandProblem(words: "\(option): \(part) is not a field or a range of fields")
      }
      ranges.append(range)
    }
    return ranges
  }

  /// The indices of the first and the last field among `count`; nil if there are none.
  func resolve(count: Int) -> ClosedRange<Int>? {
    func index(_ number: Int) -> Int { number > 0 ? number - 1 : count + number }
    var (low, high) = (first.map { index($0) } ?? 0, last.map { index($0) } ?? count - 1)
    if isSingle, low < 0 || low >= count { return nil }
    low = max(0, low)
    high = min(count - 1, high)
    return low <= high ? low...high : nil
  }

  /// The bytes of the fields in a line, with the delimiter after them.
  func text(of line: ArraySlice<UInt8>, _ delimiter: Delimiter) -> ArraySlice<UInt8> {
    let fields = delimiter.fields(of: line)
    guard let range = resolve(count: fields.count) else { return [] }
    return line[fields[range.lowerBound].lowerBound..<fields[range.upperBound].upperBound]
  }
}

/// What is made of the fields of a line: `1,3..`, or a text such as `{1}: {2..}`.
struct FieldTemplate: Sendable {
  private enum Part: Sendable {
    case text([UInt8])
    case fields([FieldRange])
  }

  private var parts: [Part] = []

  init(_ value: String, of option: String) throws(CommandProblem) {
    guard value.contains("{") else {
      parts = [.fields(try FieldRange.list(value, of: option))]
      return
    }
    var rest = value[...]
    while let open = rest.firstIndex(of: "{") {
      let close = rest[open...].firstIndex(of: "}") ?? rest.endIndex
      guard close < rest.endIndex else { break }
      if open > rest.startIndex { parts.append(.text(Array(rest[..<open].utf8))) }
      let ranges = try FieldRange.list(String(rest[rest.index(after: open)..<close]), of: option)
      parts.append(.fields(ranges))
      rest = rest[rest.index(after: close)...]
    }
    if !rest.isEmpty { parts.append(.text(Array(rest.utf8))) }
  }

  /// The text of a line that is printed: without a delimiter at the end.
  func printedText(of line: ArraySlice<UInt8>, _ delimiter: Delimiter) -> [UInt8] {
    Array(delimiter.withoutDelimiter(text(of: line, delimiter)[...]))
  }

  /// The text of a line that is shown: without white space at the end.
  func shownText(of line: ArraySlice<UInt8>, _ delimiter: Delimiter) -> [UInt8] {
    var text = text(of: line, delimiter)
    while let last = text.indices.suffix(3).last(where: { text[$0] & 0xC0 != 0x80 }) {
      let scalars = String(decoding: text[last...], as: UTF8.self).unicodeScalars
      guard scalars.count == 1, scalars.first?.properties.isWhitespace == true else { break }
      text.removeSubrange(last...)
    }
    return text
  }

  /// The text of a line. Fields of templates have no delimiter at their end.
  private func text(of line: ArraySlice<UInt8>, _ delimiter: Delimiter) -> [UInt8] {
    let fields = delimiter.fields(of: line)
    var text: [UInt8] = []
    for part in parts {
      switch part {
      case .text(let bytes): text += bytes
      case .fields(let ranges):
        for range in ranges {
          guard let found = range.resolve(count: fields.count) else { continue }
          let bytes =
            line[fields[found.lowerBound].lowerBound..<fields[found.upperBound].upperBound]
          text += parts.count > 1 ? delimiter.withoutDelimiter(bytes) : bytes
        }
      }
    }
    return text
  }
}
