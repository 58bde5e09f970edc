/// What commands receive of the lines: `{}`, `{q}`, `{+}`, `{n}`, `{2..}` and others of fzf.
struct Placeholders {
  /// A line: its text, without escape sequences, and its number.
  struct Line {
    var text: ArraySlice<UInt8>
    var number: Int
  }

  var query: String
  var current: Line?

  /// The marked lines, or the current one if none is.
  var marked: [Line]
  var delimiter: Delimiter

  /// Replaces the placeholders of a command. A backslash before one keeps it as it is.
  ///
  /// - Throws: If a list of lines cannot be written to a file.
  func replace(_ template: String, isQuoted: Bool = true) throws(CommandProblem) -> String {
    var result = ""
    var rest = template[...]
    while let open = rest.firstIndex(of: "{") {
      result += rest[..<open]
      rest = rest[open...]
      guard let close = rest.firstIndex(of: "}") else { break }
      let inner = rest[rest.index(after: open)..<close]
      let after = rest.index(after: close)
      if result.last == "\\", Self.isPlaceholder(inner) {
        result.removeLast()
        result += rest[..<after]
      } else if let text = try value(of: inner, isQuoted: isQuoted) {
        result += text
      } else {
        result += "{"
        rest = rest.dropFirst()
        continue
      }
      rest = rest[after...]
    }
    return result + rest
  }

  /// Whether a command depends on the query or on marks.
  static func dependsOnQuery(_ template: String) -> Bool { template.range(ofFirst: "{q") != nil }

  private static func isPlaceholder(_ inner: Substring) -> Bool {
    let fields = inner.drop { "+sfnrq".contains($0) }
    return fields.isEmpty || fields.split(separator: ",").allSatisfy { FieldRange($0) != nil }
  }

  private func value(of inner: Substring, isQuoted: Bool) throws(CommandProblem) -> String? {
    guard Self.isPlaceholder(inner) else { return nil }
    let flags = inner.prefix { "+sfnrq".contains($0) }
    let fields = inner.dropFirst(flags.count)
    let isRaw = flags.contains("r") || !isQuoted
    func quoted(_ text: String) -> String { isRaw ? text : ShellWords.quoted(text) }
    if flags.contains("q") {
      guard !fields.isEmpty else { return quoted(query) }
      let words = fields.split(separator: ",").compactMap { FieldRange($0) }
      let text = words.map { Self.string($0.text(of: Array(query.utf8)[...], .blanks)) }
      return quoted(text.joined().trimmed)
    }
    let lines = flags.contains("+") ? marked : current.map { [$0] } ?? []
    guard !lines.isEmpty else { return flags.contains("f") ? "/dev/null" : isRaw ? "" : "''" }
    let ranges = fields.isEmpty ? nil : fields.split(separator: ",").compactMap { FieldRange($0) }
    let texts = lines.map { line -> String in
      if flags.contains("n") { return String(line.number) }
      guard let ranges else { return Self.string(line.text) }
      let text = ranges.flatMap { $0.text(of: line.text, delimiter) }
      return flags.contains("s")
        ? Self.string(text[...]) : Self.string(delimiter.withoutDelimiter(text[...])).trimmed
    }
    if flags.contains("f") { return try TemporaryFiles.write(texts) }
    return texts.map { flags.contains("n") ? $0 : quoted($0) }.joined(separator: " ")
  }

  private static func string(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self)
  }
}

extension String {
  /// The text without blanks at its ends.
  fileprivate var trimmed: String {
    let start = self.drop { $0 == " " || $0 == "\t" }
    var text = start
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    return String(text)
  }
}
