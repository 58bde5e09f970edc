/// The rules by which files of a folder are left out: those of its `.gitignore` and `.ignore`, and of the
/// folders above it.
final class IgnoreRules: Sendable {
  private let above: IgnoreRules?

  /// The path of the folder below the topmost one, with a slash at its end, or empty.
  private let folder: [UInt8]
  private let patterns: [IgnorePattern]

  /// Creates the rules of a folder from the contents of its files, the more important one last.
  init(above: IgnoreRules?, folder: [UInt8], files: [[UInt8]]) {
    self.above = above
    self.folder = folder
    patterns = files.flatMap { text in
      text.split(separator: 0x0A).compactMap { IgnorePattern($0) }
    }
  }

  /// The files that have rules.
  static let files = [".gitignore", ".ignore"].map { Array($0.utf8) }

  /// Reports whether the file at a path below the topmost folder is left out. The last pattern that
  /// matches decides; those of deeper folders come later.
  func ignores(_ path: [UInt8], isFolder: Bool) -> Bool {
    var rules: IgnoreRules? = self
    while let current = rules {
      // A folder that was just moved has its old rules until it is read again.
      guard path.starts(with: current.folder) else { return false }
      let rest = path[current.folder.count...]
      for pattern in current.patterns.reversed() where pattern.matches(rest, isFolder: isFolder) {
        return !pattern.isNegated
      }
      rules = current.above
    }
    return false
  }
}

/// A line of `.gitignore`.
struct IgnorePattern: Sendable {
  let isNegated: Bool
  private let isForFolders: Bool

  /// Whether the pattern is about the whole path, not only the name.
  private let isAnchored: Bool
  private let text: [UInt8]

  /// Reads a line; `nil` if it has no pattern.
  init?(_ line: some Sequence<UInt8>) {
    var text = Array(line)[...]
    if text.last == 0x0D { text.removeLast() }
    // Blanks at the end count only after a backslash.
    while text.last == 0x20, text.dropLast().last != 0x5C { text.removeLast() }
    guard let first = text.first, first != 0x23 else { return nil }
    isNegated = first == 0x21
    if isNegated { text.removeFirst() }
    isForFolders = text.last == 0x2F
    if isForFolders { text.removeLast() }
    isAnchored = text.contains(0x2F)
    if text.first == 0x2F { text.removeFirst() }
    guard !text.isEmpty else { return nil }
    self.text = Array(text)
  }

  /// Reports whether the pattern matches a path below its folder.
  func matches(_ path: ArraySlice<UInt8>, isFolder: Bool) -> Bool {
    guard isFolder || !isForFolders else { return false }
    if isAnchored { return matches(text[...], path) }
    let start = path.lastIndex(of: 0x2F).map { $0 + 1 } ?? path.startIndex
    return matches(text[...], path[start...])
  }

  /// Matches a pattern, in which `*` and `?` do not match a slash, but `**` between slashes matches any
  /// folders.
  private func matches(_ pattern: ArraySlice<UInt8>, _ path: ArraySlice<UInt8>) -> Bool {
    var (pattern, path) = (pattern, path)
    // Where to continue if the rest does not match: after a star, with one more character in it.
    var retry: (pattern: ArraySlice<UInt8>, path: ArraySlice<UInt8>)?
    while true {
      if let rest = afterWholeStars(pattern) {
        if rest.isEmpty { return !path.isEmpty }
        // `**/` matches no folder, or any.
        let after = rest.dropFirst()
        var start = path
        while true {
          if matches(after, start) { return true }
          guard let slash = start.firstIndex(of: 0x2F) else { break }
          start = start[(slash + 1)...]
        }
      } else if pattern.first == 0x2A {
        pattern = pattern.drop { $0 == 0x2A }
        retry = (pattern, path)
        continue
      } else if let byte = path.first, let rest = Self.match(pattern, byte) {
        pattern = rest
        path = path.dropFirst()
        continue
      } else if pattern.isEmpty, path.isEmpty {
        return true
      }
      guard let last = retry, let skipped = last.path.first, skipped != 0x2F else { return false }
      path = last.path.dropFirst()
      pattern = last.pattern
      retry = (pattern, path)
    }
  }

  /// Returns what follows two or more stars at the beginning of a pattern that are a part between slashes; `nil` if
  /// there are none.
  private func afterWholeStars(_ pattern: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let rest = pattern.drop { $0 == 0x2A }
    let start = pattern.startIndex
    guard rest.startIndex - start > 1, start == 0 || text[start - 1] == 0x2F,
      rest.isEmpty || rest.first == 0x2F
    else { return nil }
    return rest
  }

  /// Matches the first element of a pattern. Returns the rest of the pattern; `nil` if it does not match.
  private static func match(_ pattern: ArraySlice<UInt8>, _ byte: UInt8) -> ArraySlice<UInt8>? {
    guard let first = pattern.first else { return nil }
    let rest = pattern.dropFirst()
    switch first {
    case 0x3F: return byte == 0x2F ? nil : rest
    case 0x5B: return byte == 0x2F ? nil : CharacterSet.match(rest, byte)
    case 0x5C: return rest.first == byte ? rest.dropFirst() : nil
    default: return first == byte ? rest : nil
    }
  }
}

/// A set of characters in brackets, with ranges and named classes.
private enum CharacterSet {
  /// Matches a set after its bracket. Returns the pattern after it; `nil` if it does not match, or does not end.
  static func match(_ pattern: ArraySlice<UInt8>, _ byte: UInt8) -> ArraySlice<UInt8>? {
    var rest = pattern
    let isNegated = rest.first == 0x21 || rest.first == 0x5E
    if isNegated { rest.removeFirst() }
    var isIn = false
    // What a range begins with.
    var low: UInt8?
    var isFirst = true
    while let next = rest.popFirst() {
      if next == 0x5D, !isFirst { return isIn != isNegated ? rest : nil }
      isFirst = false
      if next == 0x2D, let start = low, let end = rest.first, end != 0x5D {
        rest.removeFirst()
        guard let high = end == 0x5C ? rest.popFirst() : end else { return nil }
        if start <= byte, byte <= high { isIn = true }
        low = nil
      } else if next == 0x5B, rest.first == 0x3A, let end = rest.firstIndex(of: 0x5D),
        end - rest.startIndex > 1, rest[end - 1] == 0x3A
      {
        guard let named = has(byte, rest[(rest.startIndex + 1)..<(end - 1)]) else { return nil }
        if named { isIn = true }
        rest = rest[(end + 1)...]
        low = nil
      } else {
        guard let sign = next == 0x5C ? rest.popFirst() : next else { return nil }
        if sign == byte { isIn = true }
        low = sign
      }
    }
    return nil
  }

  /// Whether a named class has a character; `nil` if there is no such class.
  private static func has(_ byte: UInt8, _ name: ArraySlice<UInt8>) -> Bool? {
    let (isDigit, isUpper) = ((0x30...0x39).contains(byte), (0x41...0x5A).contains(byte))
    let isLower = (0x61...0x7A).contains(byte)
    let isPrinted = (0x21...0x7E).contains(byte)
    let isAlphanumeric = isDigit || isUpper || isLower
    switch String(decoding: name, as: UTF8.self) {
    case "alnum": return isAlphanumeric
    case "alpha": return isUpper || isLower
    case "blank": return byte == 0x20 || byte == 0x09
    case "cntrl": return byte < 0x20 || byte == 0x7F
    case "digit": return isDigit
    case "graph": return isPrinted
    case "lower": return isLower
    case "print": return isPrinted || byte == 0x20
    case "punct": return isPrinted && !isAlphanumeric
    case "space": return byte == 0x20 || (0x09...0x0D).contains(byte)
    case "upper": return isUpper
    case "xdigit": return isDigit || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
    default: return nil
    }
  }
}
