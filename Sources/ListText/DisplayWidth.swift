/// The number of terminal columns of a character: 2 if it is wide by Unicode's East Asian Width, 0
/// if it combines with the previous character or is invisible, else 1.
package enum DisplayWidth {
  /// Returns the number of columns of a character.
  package static func of(_ scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    if value < 0x300 { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return isWide(value) ? 2 : 1
    }
  }

  private static func isWide(_ value: UInt32) -> Bool {
    let runs = WideCharacters.runs
    var low = 0
    var high = runs.count
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].upperBound < value { low = middle + 1 } else { high = middle }
    }
    return low < runs.count && runs[low].contains(value)
  }

  /// Calls `body` with the length in bytes and the width of each character of a UTF-8 text, until
  /// it returns false. A byte that is not valid UTF-8 counts as a character of one column.
  static func forEachCharacter(
    of text: ArraySlice<UInt8>, _ body: (_ length: Int, _ width: Int) -> Bool
  ) {
    var rest = text
    while let first = rest.first {
      var length = 1
      var width = 1
      if first >= 0x80 {
        var decoder = UTF8()
        var iterator = rest.makeIterator()
        if case .scalarValue(let scalar) = decoder.decode(&iterator) {
          length = UTF8.width(scalar)
          width = of(scalar)
        }
      }
      guard body(length, width) else { return }
      rest.removeFirst(length)
    }
  }
}
