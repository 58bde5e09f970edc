import ByteBuffers

/// Which lines name functions, classes or chapters, if a file's name does not decide this.
package enum FunctionDriver {
  /// Those of a driver that git has.
  case named(String)
  /// Those of which a function returns the part that is the name.
  case lines((UnsafeRawBufferPointer) -> Range<Int>?)
}

/// Finds the line that names the function, class or chapter that a hunk is in, as git does for the
/// languages that it knows.
struct FunctionNames {
  /// What such lines have in common.
  fileprivate enum Rule {
    /// They begin with a letter, an underscore or a dollar sign, but are not labels of C.
    case letter(isC: Bool)
    /// They begin with a character.
    case first(UInt8)
    /// They begin with one of some words, after others that may precede it.
    case words([String], before: [String])
    /// They begin with words of which one declares a type, or declare a method: a type, a name and a
    /// parenthesis, but no semicolon.
    case types([String])
    /// They begin with `function`, or with a name and `()`.
    case shell
    /// They begin with one to six `#` and a blank.
    case heading
    /// A function finds the name in them.
    case lines((UnsafeRawBufferPointer) -> Range<Int>?)
  }

  private let rule: Rule

  /// The line that was found last, and the offset up to which lines were searched.
  private var found: [UInt8]?
  private var searched = 0

  private static let mostBytes = 80

  /// Creates a search by the rules of a driver, or, if they are unknown, of the language of a file's
  /// suffix.
  init(fileName: String, _ driver: FunctionDriver?) {
    let suffix = fileName.lastIndex(of: ".").map { fileName[$0...].lowercased() } ?? ""
    switch driver {
    case .lines(let name): rule = .lines(name)
    case .named(let name): rule = Rule(of: name) ?? Rule(of: suffix) ?? .letter(isC: false)
    case nil: rule = Rule(of: suffix) ?? .letter(isC: false)
    }
  }

  /// Returns the last line before an offset that is a name; nil if there is none.
  ///
  /// Each call is for a later offset than the one before.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes between both offsets.
  mutating func name(before offset: Int, in text: UnsafeRawBufferPointer) -> [UInt8]? {
    var end = offset
    while end > searched {
      let start = Bytes.lastIndex(of: 0x0A, in: text, before: end - 1).map { $0 + 1 } ?? 0
      if let name = name(in: UnsafeRawBufferPointer(rebasing: text[start..<end])) {
        found = Array(name.prefix(Self.mostBytes).prefix { $0 != 0x0A && $0 != 0x0D })
        break
      }
      end = start
    }
    searched = max(searched, offset)
    return found
  }

  /// The part of a line that is a name; nil if it has none.
  private func name(in line: UnsafeRawBufferPointer) -> Slice<UnsafeRawBufferPointer>? {
    if case .lines(let name) = rule { return name(line).map { line[$0] } }
    return isName(line) ? line.drop { Self.isBlank($0) } : nil
  }

  private func isName(_ line: UnsafeRawBufferPointer) -> Bool {
    switch rule {
    case .letter(let isC):
      guard let byte = line.first, Self.isLetter(byte) || byte == 0x24 else { return false }
      return !(isC && Self.isLabel(line))
    case .first(let byte): return line.first == byte && line.count > 2
    case .words(let names, let before):
      var rest = line[...]
      while true {
        let word = Self.word(in: &rest)
        if names.contains(word) { return true }
        guard before.contains(word) else { return false }
        // The scope of `pub(crate)`.
        if rest.first == 0x28 { rest = rest.drop { $0 != 0x29 }.dropFirst() }
      }
    case .types(let names): return Self.isDeclaration(line, names)
    case .shell:
      var rest = line[...]
      let word = Self.word(in: &rest)
      rest = rest.drop { Self.isBlank($0) }
      return word == "function" || !word.isEmpty && rest.starts(with: [0x28, 0x29])
    case .heading:
      let rest = line.drop { $0 == 0x23 }
      return 1...6 ~= line.count - rest.count && rest.first.map { Self.isBlank($0) } ?? false
    case .lines: return false
    }
  }

  /// The next word of a line, which is removed with the blanks before it.
  private static func word(in rest: inout Slice<UnsafeRawBufferPointer>) -> String {
    rest = rest.drop { isBlank($0) }
    // It ends at a blank or one of `(<{:`.
    let word = rest.prefix { $0 > 0x20 && $0 != 0x28 && $0 != 0x3C && $0 != 0x7B && $0 != 0x3A }
    rest = rest.dropFirst(word.count)
    return String(decoding: word, as: UTF8.self)
  }

  /// Whether a line declares one of some kinds of types, or a method.
  private static func isDeclaration(_ line: UnsafeRawBufferPointer, _ types: [String]) -> Bool {
    var rest = line[...]
    var count = 0
    while true {
      let word = word(in: &rest)
      // The parameters of a generic method or type.
      let hasParameters = rest.first == 0x3C
      if hasParameters { rest = rest.drop { $0 != 0x3E && $0 != 0x0A }.drop { $0 == 0x3E } }
      if word.isEmpty, hasParameters { continue }
      guard let first = word.utf8.first, isLetter(first) else { return false }
      if types.contains(word) { return true }
      if count == 0, statements.contains(word) { return false }
      count += 1
      if rest.first == 0x28 { return count > 1 && !rest.contains(0x3B) }
    }
  }

  /// Words that begin statements with parentheses.
  private static let statements = [
    "catch", "do", "else", "for", "foreach", "if", "instanceof", "lock", "new", "return", "switch",
    "throw", "using", "while",
  ]

  /// Whether a line is a label, such as `public:`.
  private static func isLabel(_ line: UnsafeRawBufferPointer) -> Bool {
    let rest = line.drop { isLetter($0) || $0 &- 0x30 < 10 }
    return rest.first == 0x3A && rest.dropFirst().allSatisfy { isBlank($0) || $0 == 0x0A }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0D
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    byte == 0x5F || (byte | 0x20) &- 0x61 < 26
  }
}

extension FunctionNames.Rule {
  /// Creates the rule of a driver of git, or of a suffix with its period.
  fileprivate init?(of language: String) {
    switch language {
    case ".md", ".markdown", "markdown": self = .heading
    case ".toml", ".ini": self = .first(0x5B)
    case ".el", ".lisp", ".clj", ".scm", ".rkt": self = .first(0x28)
    case ".c", ".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp", "cpp": self = .letter(isC: true)
    case ".sh", ".bash", ".zsh", "bash": self = .shell
    case ".py", ".pyi", "python": self = .words(["class", "def"], before: ["async"])
    case ".rb", "ruby": self = .words(["class", "module", "def"], before: [])
    case ".go", "golang": self = .words(["func", "type"], before: [])
    case ".lua": self = .words(["function"], before: ["local"])
    case ".pl", ".pm", "perl": self = .words(["sub", "package"], before: [])
    case ".ex", ".exs", "elixir":
      self = .words(
        ["def", "defp", "defmacro", "defmodule", "defimpl", "defprotocol", "test"], before: [])
    case ".php", "php":
      self = .words(
        ["function", "class", "enum", "interface", "trait"],
        before: ["public", "protected", "private", "static", "abstract", "final"])
    case ".rs", "rust":
      self = .words(
        ["struct", "enum", "union", "mod", "trait", "fn", "impl", "macro_rules!"],
        before: ["pub", "async", "const", "unsafe", "extern"])
    case ".swift":
      self = .words(
        ["func", "class", "struct", "enum", "protocol", "extension", "actor", "init"],
        before: [
          "public", "package", "internal", "private", "fileprivate", "open", "static", "final",
          "mutating", "override", "nonisolated", "indirect", "convenience", "required",
        ])
    case ".kt", ".kts", "kotlin":
      self = .words(
        ["fun", "class", "interface", "object"],
        before: [
          "public", "protected", "private", "internal", "abstract", "final", "open", "data",
          "inner",
          "sealed", "enum", "override", "suspend", "inline", "operator", "companion",
        ])
    case ".java", "java": self = .types(["class", "enum", "interface", "record"])
    case ".cs", "csharp":
      self = .types(["class", "enum", "interface", "record", "struct", "namespace"])
    default: return nil
    }
  }
}
