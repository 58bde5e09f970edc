/// The rules of `.gitignore` in the most obvious way: a pattern and a path are compared character by character, and all
/// that a star can match is tried.
struct ModelRules {
  /// The lines of the files of a folder, and the number of parts of its path.
  private var lines: [(text: [UInt8], depth: Int)] = []

  /// Adds the lines of a file.
  mutating func add(_ content: [UInt8], depth: Int) {
    lines += content.split(separator: 0x0A).map { (Array($0), depth) }
  }

  /// Whether the last line that matches leaves out the file at a path.
  func ignores(_ path: [[UInt8]], isFolder: Bool) -> Bool {
    for (line, depth) in lines.reversed() {
      guard let rule = Self.rule(line), isFolder || !rule.isForFolders else { continue }
      let parts = rule.isAnchored ? path[depth...] : path.suffix(1)
      let text = Array(parts.joined(separator: [0x2F]))
      if Self.matches(rule.pattern, 0, text[...]) { return !rule.isNegated }
    }
    return false
  }

  private static func rule(
    _ line: [UInt8]
  ) -> (isNegated: Bool, isForFolders: Bool, isAnchored: Bool, pattern: [UInt8])? {
    var text = line
    if text.last == 0x0D { text.removeLast() }
    while text.last == 0x20, text.dropLast().last != 0x5C { text.removeLast() }
    if text.isEmpty || text[0] == 0x23 { return nil }
    let isNegated = text[0] == 0x21
    if isNegated { text.removeFirst() }
    let isForFolders = text.last == 0x2F
    if isForFolders { text.removeLast() }
    let isAnchored = text.contains(0x2F)
    if text.first == 0x2F { text.removeFirst() }
    return text.isEmpty ? nil : (isNegated, isForFolders, isAnchored, text)
  }

  /// Whether a pattern from an index on matches a text.
  private static func matches(
    _ pattern: [UInt8], _ index: Int, _ text: ArraySlice<UInt8>
  ) -> Bool {
    guard index < pattern.count else { return text.isEmpty }
    let next = index + 1
    if pattern[index] == 0x2A {
      let end = pattern[index...].firstIndex { $0 != 0x2A } ?? pattern.count
      let isPart =
        end - index > 1 && (index == 0 || pattern[index - 1] == 0x2F)
        && (end == pattern.count || pattern[end] == 0x2F)
      if isPart, end == pattern.count { return !text.isEmpty }
      if isPart {
        let starts = text.indices.filter { $0 == text.startIndex || text[$0 - 1] == 0x2F }
        return starts.contains { matches(pattern, end + 1, text[$0...]) }
      }
      let longest = text.firstIndex(of: 0x2F) ?? text.endIndex
      return (text.startIndex...longest).contains { matches(pattern, end, text[$0...]) }
    }
    guard let byte = text.first else { return false }
    let rest = text.dropFirst()
    switch pattern[index] {
    case 0x3F: return byte != 0x2F && matches(pattern, next, rest)
    case 0x5B:
      guard let (set, end) = characters(pattern, next), byte != 0x2F else { return false }
      return set.contains(byte) && matches(pattern, end, rest)
    case 0x5C:
      return next < pattern.count && pattern[next] == byte && matches(pattern, next + 1, rest)
    default: return pattern[index] == byte && matches(pattern, next, rest)
    }
  }

  /// Reads a set of characters after its bracket: the characters, and the index after it. Returns `nil` if it does not
  /// end.
  private static func characters(_ pattern: [UInt8], _ start: Int) -> (Set<UInt8>, Int)? {
    var found: Set<UInt8> = []
    var index = start
    let isNegated = index < pattern.count && (pattern[index] == 0x21 || pattern[index] == 0x5E)
    if isNegated { index += 1 }
    let first = index
    var low: UInt8?
    while index < pattern.count {
      var sign = pattern[index]
      if sign == 0x5D, index > first {
        return (isNegated ? Set(0...255).subtracting(found) : found, index + 1)
      }
      index += 1
      if sign == 0x2D, let start = low, index < pattern.count, pattern[index] != 0x5D {
        if pattern[index] == 0x5C { index += 1 }
        guard index < pattern.count else { return nil }
        if start <= pattern[index] { found.formUnion(start...pattern[index]) }
        index += 1
        low = nil
        continue
      }
      if sign == 0x5C {
        guard index < pattern.count else { return nil }
        sign = pattern[index]
        index += 1
      }
      found.insert(sign)
      low = sign
    }
    return nil
  }
}
