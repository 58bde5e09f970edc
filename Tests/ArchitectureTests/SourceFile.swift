import Foundation

/// A file of Swift, by lines: as it is written, and without comments and the words of strings.
struct SourceFile {
  /// The path from the package's folder on.
  let path: String
  let lines: [String]
  let code: [String]

  /// The folder below `Sources` or `Tests`, which is the module's name.
  var module: String { String(path.split(separator: "/")[1]) }

  /// The place of a line, for people.
  func place(_ index: Int) -> String { "\(path):\(index + 1)" }

  init(path: String, text: String) {
    self.path = path
    lines = text.components(separatedBy: "\n")
    code = Self.withoutWords(text).components(separatedBy: "\n")
  }

  /// The files of `Sources`.
  static let sources = Result { try all(in: "Sources") }

  /// The package's folder.
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The text of a file of the package.
  static func text(of path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// The files of a folder of the package.
  static func all(in folder: String) throws -> [SourceFile] {
    try names(in: folder).filter { $0.hasSuffix(".swift") }.sorted().map { name in
      SourceFile(path: "\(folder)/\(name)", text: try text(of: "\(folder)/\(name)"))
    }
  }

  /// The paths of all that is in a folder of the package.
  static func names(in folder: String) -> [String] {
    let top = root.appending(path: folder).path
    return FileManager.default.enumerator(atPath: top)?.compactMap { $0 as? String } ?? []
  }

  /// Whether a path of the package leads anywhere.
  static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: root.appending(path: path).path)
  }

  /// The text with a space for each byte of a comment or a string.
  private static func withoutWords(_ text: String) -> String {
    enum State { case code, lineComment, string, longString }
    let bytes = Array(text.utf8)
    let quote = UInt8(ascii: "\"")
    var state = State.code
    var place = 0
    var result: [UInt8] = []
    func stands(_ word: StaticString) -> Bool {
      bytes[place...].prefix(word.utf8CodeUnitCount)
        .elementsEqual(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }
    func pass(_ count: Int, blank: Bool) {
      for byte in bytes[place...].prefix(count) {
        result.append(blank && byte != UInt8(ascii: "\n") ? UInt8(ascii: " ") : byte)
      }
      place += count
    }
    while place < bytes.count {
      switch state {
      case .code where stands("//"):
        state = .lineComment
        pass(2, blank: true)
      case .code where stands("\"\"\""):
        state = .longString
        pass(3, blank: true)
      case .code:
        if bytes[place] == quote { state = .string }
        pass(1, blank: false)
      case .lineComment:
        if bytes[place] == UInt8(ascii: "\n") { state = .code }
        pass(1, blank: true)
      case .string, .longString:
        if bytes[place] == UInt8(ascii: "\\") {
          pass(2, blank: true)
        } else if state == .string ? bytes[place] == quote : stands("\"\"\"") {
          pass(state == .string ? 1 : 3, blank: false)
          state = .code
        } else {
          pass(1, blank: true)
        }
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

/// A rule that some lines break; each is an issue of the running test.
struct Rule {
  let words: String
  let pattern: Regex<AnyRegexOutput>

  /// A rule against a pattern of code.
  init(_ words: String, against pattern: String) throws {
    self.words = words
    self.pattern = try Regex(pattern)
  }

  /// The places of the files where the code has what the rule is against.
  func breaches(in files: [SourceFile]) -> [String] {
    files.flatMap { file in
      file.code.indices.compactMap { index in
        guard file.code[index].firstMatch(of: pattern) != nil else { return nil }
        return "\(file.place(index)): \(words): \(file.lines[index])"
      }
    }
  }
}
