import ByteBuffers

/// Finds the line that names the function, class or chapter that a hunk is in, as git does for the
/// languages that it knows.
struct FunctionNames {
  /// The words that such a line begins with, after others that may precede them; nil if it is any
  /// line that begins with a letter, an underscore or a dollar sign.
  private let words: (names: [String], before: [String])?
  private let first: UInt8?

  /// The line that was found last, and the offset up to which lines were searched.
  private var found: [UInt8]?
  private var searched = 0

  private static let mostBytes = 80

  /// Creates a search in a file with this name.
  init(fileName: String) {
    let suffix = fileName.lastIndex(of: ".").map { fileName[$0...].lowercased() } ?? ""
    switch suffix {
    case ".md", ".markdown": first = 0x23
    case ".toml", ".ini": first = 0x5B
    default: first = nil
    }
    words = Self.words(inFilesWith: suffix)
  }

  private static func words(inFilesWith suffix: String) -> (names: [String], before: [String])? {
    switch suffix {
    case ".py", ".pyi": (["class", "def"], ["async"])
    case ".rb": (["class", "module", "def"], [])
    case ".rs":
      (
        ["struct", "enum", "union", "mod", "trait", "fn", "impl", "macro_rules!"],
        ["pub", "async", "const", "unsafe", "extern"]
      )
    case ".swift":
      (
        ["func", "class", "struct", "enum", "protocol", "extension", "actor", "init"],
        [
          "public", "package", "internal", "private", "fileprivate", "open", "static", "final",
          "mutating", "override", "nonisolated", "indirect", "convenience", "required",
        ]
      )
    case ".java", ".kt", ".cs", ".ts", ".tsx", ".js", ".jsx", ".php":
      (
        [
          "class", "interface", "enum", "record", "function", "fun", "object", "namespace", "trait",
        ],
        [
          "public", "private", "protected", "internal", "static", "final", "abstract", "sealed",
          "export", "default", "async", "override", "suspend", "open", "data", "partial",
        ]
      )
    default: nil
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
      let line = UnsafeRawBufferPointer(rebasing: text[start..<end])
      if isName(line) {
        found = Array(line.prefix(Self.mostBytes).prefix { $0 != 0x0A && $0 != 0x0D })
        break
      }
      end = start
    }
    searched = max(searched, offset)
    return found
  }

  private func isName(_ line: UnsafeRawBufferPointer) -> Bool {
    if let first { return line.first == first && line.count > 2 }
    guard let words else {
      guard let byte = line.first else { return false }
      return byte == 0x5F || byte == 0x24 || (byte | 0x20) &- 0x61 < 26
    }
    var rest = line[...]
    while true {
      rest = rest.drop { $0 == 0x20 || $0 == 0x09 }
      let word = rest.prefix { $0 > 0x20 && $0 != 0x28 && $0 != 0x3C && $0 != 0x7B && $0 != 0x3A }
      if word.isEmpty { return false }
      let name = String(decoding: word, as: UTF8.self)
      if words.names.contains(name) { return true }
      guard words.before.contains(name) else { return false }
      rest = rest.dropFirst(word.count)
      // The scope of `pub(crate)`.
      if rest.first == 0x28 { rest = rest.drop { $0 != 0x29 }.dropFirst() }
    }
  }
}
