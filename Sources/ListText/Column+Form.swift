extension [UInt8] {
  /// Returns a value in a form, and where ranges of it are then.
  func written(as form: Column.Form, _ ranges: [Range<Int>]) -> ([UInt8], [Range<Int>]) {
    switch form {
    case .plain: return (self, ranges)
    case .line:
      guard contains(where: { $0.isControl }) else { return (self, ranges) }
      func shifted(_ offset: Int) -> Int { offset + self[..<offset].count { $0.isControl } }
      return (
        flatMap { $0.isControl ? [0x5E, $0 ^ 0x40] : [$0] },
        ranges.map { shifted($0.lowerBound)..<shifted($0.upperBound) }
      )
    case .bytes:
      guard let text = sizeWithUnit else { return (self, ranges) }
      return (Array(text.utf8), [])
    }
  }

  /// The number of bytes with a unit, such as `999B`, `2.0K` or `15K`; `nil` if the text is not a number that
  /// is not negative.
  private var sizeWithUnit: String? {
    guard var rest = Double(String(decoding: self, as: UTF8.self)), 0..<0x1p80 ~= rest else {
      return nil
    }
    var units = "BKMGTPE"[...]
    while rest >= 1000, units.count > 1 {
      rest /= 1024
      units.removeFirst()
    }
    let unit = units.first!
    let tenths = Int((rest * 10).rounded())
    guard unit != "B", tenths < 100 else { return "\(Int(rest.rounded()))\(unit)" }
    return "\(tenths / 10).\(tenths % 10)\(unit)"
  }
}

extension UInt8 {
  /// Whether the byte is a control character.
  fileprivate var isControl: Bool { self < 0x20 || self == 0x7F }
}
