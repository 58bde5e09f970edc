/// The text of a row as code points: one text, or one for each member that queries search.
///
/// A value can be reused for many rows, so that no memory is allocated for each:
///
/// ```swift
/// var text = RowText()
/// for row in rows {
///   text.removeAll()
///   text.append(row.title)
///   text.endMember()
///   text.append(row.path)
///   texts.set(row.number, to: text)
/// }
/// ```
public struct RowText: Sendable, Equatable {
  /// The code points of all members, with a `separator` between two members.
  var points: [UInt32] = []

  /// The value between two members, which is not a code point.
  static let separator: UInt32 = 0x11_0000
  /// The code point that ill-formed UTF-8 is read as.
  static let replacement: UInt32 = 0xFFFD

  /// Creates a row with one empty member.
  public init() {}

  /// Creates a row of one member.
  ///
  /// - Complexity: O(*n*), where *n* is the length of the text.
  public init(_ text: some StringProtocol) { append(text) }

  /// Creates a row of several members.
  ///
  /// - Complexity: O(*n*), where *n* is the length of the texts.
  public init(members: some Sequence<some StringProtocol>) {
    var isFirst = true
    for member in members {
      if !isFirst { endMember() }
      append(member)
      isFirst = false
    }
  }

  /// The number of code points, separators between members included.
  var count: Int { points.count }

  /// Whether the row has one member, which is empty.
  package var isEmpty: Bool { points.isEmpty }

  /// The number of members, at least one.
  public var memberCount: Int { members.count }

  /// The range in `points` of each member.
  var members: [Range<Int>] {
    var result: [Range<Int>] = []
    var start = 0
    for index in points.indices where points[index] == Self.separator {
      result.append(start..<index)
      start = index + 1
    }
    result.append(start..<points.count)
    return result
  }

  /// Removes all members but one, which is then empty, and keeps the memory.
  public mutating func removeAll() { points.removeAll(keepingCapacity: true) }

  /// Ends the last member, and starts another one.
  public mutating func endMember() { points.append(Self.separator) }

  /// Appends a text to the last member.
  ///
  /// - Complexity: O(*n*), where *n* is the length of the text.
  public mutating func append(_ text: some StringProtocol) {
    for scalar in text.unicodeScalars { points.append(scalar.value) }
  }

  /// Appends a code point to the last member.
  public mutating func append(_ scalar: Unicode.Scalar) { points.append(scalar.value) }

  /// Appends UTF-8 to the last member.
  ///
  /// The bytes of a code point must be passed in one call. Each maximal subpart of ill-formed UTF-8 is
  /// read as U+FFFD, as by `String(decoding:as:)`.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  public mutating func append(utf8 bytes: Span<UInt8>) {
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte < 0x80 {
        points.append(UInt32(byte))
        index += 1
      } else {
        let (point, count) = Self.decode(bytes, at: index)
        points.append(point)
        index += count
      }
    }
  }

  /// Returns the code point at an index, whose first byte is not ASCII, and its number of bytes (The
  /// Unicode Standard, table 3-7).
  private static func decode(_ bytes: Span<UInt8>, at index: Int) -> (UInt32, Int) {
    let first = bytes[index]
    let count: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch first {
    case 0xC2...0xDF: count = 2
    case 0xE0: (count, second) = (3, 0xA0...0xBF)
    case 0xED: (count, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: count = 3
    case 0xF0: (count, second) = (4, 0x90...0xBF)
    case 0xF4: (count, second) = (4, 0x80...0x8F)
    case 0xF1...0xF3: count = 4
    default: return (replacement, 1)
    }
    var point = UInt32(first) & (0x7F >> UInt32(count))
    for offset in 1..<count {
      guard index + offset < bytes.count else { return (replacement, offset) }
      let byte = bytes[index + offset]
      let isNext = offset == 1 ? second.contains(byte) : byte & 0xC0 == 0x80
      guard isNext else { return (replacement, offset) }
      point = point << 6 | UInt32(byte & 0x3F)
    }
    return (point, count)
  }
}
