/// The units of offsets in a text.
public enum OffsetUnit: Sendable {
  /// Bytes of UTF-8. Ill-formed UTF-8 counts as the U+FFFD that it is read as.
  case utf8
  /// Code units of UTF-16.
  case utf16
  /// Code points.
  case utf32

  func size(of point: UInt32) -> Int {
    switch self {
    case .utf8: point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x1_0000 ? 3 : 4
    case .utf16: point < 0x1_0000 ? 1 : 2
    case .utf32: 1
    }
  }
}

extension RowText {
  /// Converts ranges of code points of a member to another unit.
  ///
  /// - Complexity: O(*n*), where *n* is the length of the member.
  /// - Parameter ranges: Ascending and disjoint ranges within the member, such as those of a `Match`.
  public func convert(
    _ ranges: [Range<Int>], ofMember member: Int = 0, to unit: OffsetUnit
  ) -> [Range<Int>] {
    let start = members[member].lowerBound
    var offset = 0
    var index = start
    func advance(to end: Int) -> Int {
      while index < end {
        offset += unit.size(of: points[index])
        index += 1
      }
      return offset
    }
    return ranges.map { range in
      let lower = advance(to: start + range.lowerBound)
      return lower..<advance(to: start + range.upperBound)
    }
  }

  /// Returns the text of a member.
  public func string(ofMember member: Int = 0) -> String {
    var result = String.UnicodeScalarView()
    for point in points[members[member]] {
      result.append(Unicode.Scalar(point) ?? "\u{FFFD}")
    }
    return String(result)
  }
}
