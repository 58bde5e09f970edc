import Foundation

/// The lines of a Swift file: as they are written, and without comments and the content of strings.
struct SourceFile {
  /// The path in the package's folder.
  let path: String
  let lines: [String]
  let code: [String]

  /// The name of the module: the folder in `Sources` or `Tests`.
  var module: String { String(path.split(separator: "/")[1]) }

  /// The path and the number of a line, for messages.
  func location(_ index: Int) -> String { "\(path):\(index + 1)" }

  init(path: String, text: String) {
    self.path = path
    lines = text.components(separatedBy: "\n")
    code = Self.blankingText(text).components(separatedBy: "\n")
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

  /// The paths of all files in a folder of the package.
  static func names(in folder: String) -> [String] {
    let top = root.appending(path: folder).path
    return FileManager.default.enumerator(atPath: top)?.compactMap { $0 as? String } ?? []
  }

  /// The text with a space for each byte of a comment or a string, so that indices are kept.
  private static func blankingText(_ text: String) -> String {
    enum State { case code, lineComment, string, longString }
    let bytes = Array(text.utf8)
    let quote = UInt8(ascii: "\"")
    var state = State.code
    var index = 0
    var result: [UInt8] = []
    func isNext(_ word: StaticString) -> Bool {
      bytes[index...].prefix(word.utf8CodeUnitCount)
        .elementsEqual(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }
    func skip(_ count: Int, blank: Bool) {
      for byte in bytes[index...].prefix(count) {
        result.append(blank && byte != UInt8(ascii: "\n") ? UInt8(ascii: " ") : byte)
      }
      index += count
    }
    while index < bytes.count {
      switch state {
      case .code where isNext("//"):
        state = .lineComment
        skip(2, blank: true)
      case .code where isNext("\"\"\""):
        state = .longString
        skip(3, blank: true)
      case .code:
        if bytes[index] == quote { state = .string }
        skip(1, blank: false)
      case .lineComment:
        if bytes[index] == UInt8(ascii: "\n") { state = .code }
        skip(1, blank: true)
      case .string, .longString:
        if bytes[index] == UInt8(ascii: "\\") {
          skip(2, blank: true)
        } else if state == .string ? bytes[index] == quote : isNext("\"\"\"") {
          skip(state == .string ? 1 : 3, blank: false)
          state = .code
        } else {
          skip(1, blank: true)
        }
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

/// A pattern that code must not contain.
struct Rule {
  let description: String
  let pattern: Regex<AnyRegexOutput>

  /// Creates a rule against a pattern, with a description for messages.
  init(_ description: String, against pattern: String) throws {
    self.description = description
    self.pattern = try Regex(pattern)
  }

  /// The lines of the files whose code contains the pattern.
  func breaches(in files: [SourceFile]) -> [String] {
    files.flatMap { file in
      file.code.indices.compactMap { index in
        guard file.code[index].firstMatch(of: pattern) != nil else { return nil }
        return "\(file.location(index)): \(description): \(file.lines[index])"
      }
    }
  }
}
