import FuzzyMatch

/// Rows that the input sets, removes and searches. Every result is compared with that of a
/// `ReferenceQuery` on a dictionary of texts.
///
/// The first byte selects the initial state of the store. The parts after it, which end with a
/// zero, are a command byte and text.
enum MatchTarget {
  /// The number of bytes that are used. The reference is slow.
  private static let limit = 768

  static func run(_ bytes: UnsafeRawBufferPointer) {
    guard let first = bytes.first else { return }
    var rows = CheckedRows()
    // Characters that are added later share their bytes with these.
    if first & 1 == 1 {
      rows.set(63, [(0..<130).map { Unicode.Scalar(0x4E00 + $0)! }])
      rows.remove(63)
    }
    if first & 2 == 2 {
      for row in 40..<58 { rows.set(Int32(row), [Array("filler/\(row)/Row".unicodeScalars)]) }
    }
    for part in bytes.dropFirst().prefix(limit).split(separator: 0).prefix(24) {
      guard let command = part.first else { continue }
      let text = part.dropFirst()
      let row = Int32(command >> 3)
      switch command & 7 {
      case 0...3:
        let members = text.split(separator: 1, omittingEmptySubsequences: false)
        rows.set(row, members.map { $0.map(scalar) })
      case 4: rows.remove(row)
      default:
        var string = String.UnicodeScalarView()
        string.append(contentsOf: text.prefix(40).map(scalar))
        let rules: [CaseRule] = [.smart, .ignore, .respect]
        do {
          try rows.search(
            String(string), rules[Int(command >> 3) % 3], count: Int(command >> 5) + 1)
        } catch { preconditionFailure("\(error)") }
      }
    }
  }

  /// Letters that fold in unusual ways, white space, digits and signs. Bytes from 0xA0 on are
  /// ideographs.
  private static let unusual = Array(
    "ßẞſKςσΣθϑΘäÄåÅéÉяЯжЖǅǄǆıİµμΜ２½\u{A0}\u{2003}—«»😀Ⅷⅷ".unicodeScalars)

  private static func scalar(_ byte: UInt8) -> Unicode.Scalar {
    switch byte {
    case ..<0x80: return Unicode.Scalar(byte)
    case ..<0xA0: return unusual[Int(byte - 0x80)]
    default: return Unicode.Scalar(0x4E00 + UInt32(byte))!
    }
  }
}
