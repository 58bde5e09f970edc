// The standard library's functions for this would link the library of regular expressions.
extension StringProtocol {
  /// Returns the text with all occurrences of a part replaced, compared by their bytes.
  ///
  /// - Complexity: O(*n* · *m*), where *n* and *m* are the lengths of the text and of the part.
  func substituting(_ part: String, by replacement: String) -> String {
    let part = Array(part.utf8)
    var result: [UInt8] = []
    var rest = utf8[...]
    while let first = rest.first {
      if rest.starts(with: part) {
        result += replacement.utf8
        rest = rest.dropFirst(part.count)
      } else {
        result.append(first)
        rest = rest.dropFirst()
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The range of the first occurrence of a part, compared by characters; nil if there is none.
  package func range(ofFirst part: String) -> Range<Index>? {
    guard let start = indices.first(where: { self[$0...].hasPrefix(part) }) else { return nil }
    return start..<index(start, offsetBy: part.count)
  }
}
