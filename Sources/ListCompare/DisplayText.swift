import JSONBytes

/// Text as a terminal or a page displays it. Characters that have a `printableEscape` are replaced
/// by it.
struct DisplayText {
  /// Calls `body` with each character, its replacement if it is not shown as it is, and its offset.
  ///
  /// `text` is UTF-8. Invalid bytes are replaced by U+FFFD.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  static func forEachCharacter(
    of text: [UInt8], _ body: (_ scalar: Unicode.Scalar, _ shown: String?, _ offset: Int) -> Void
  ) {
    var offset = 0
    var iterator = text.makeIterator()
    var decoder = UTF8()
    while true {
      let scalar: Unicode.Scalar
      switch decoder.decode(&iterator) {
      case .scalarValue(let value): scalar = value
      case .emptyInput: return
      case .error: scalar = "\u{FFFD}"
      }
      body(scalar, scalar.printableEscape, offset)
      offset += UTF8.width(scalar)
    }
  }
}
