import FuzzyMatch
import JSONBytes

/// The members that a client wants beside edits of a text.
struct TextOptions: Equatable {
  static let members: ParamNames = [.spans, .selectedLines]

  var spans = false
  var selectedLines = false

  /// Whether lines that move are named.
  var moves = true

  /// The unit of the offsets of spans.
  var unit = OffsetUnit.utf16

  init() {}

  /// Reads the members `spans` and `selectedLines`.
  init(_ params: borrowing Params, _ unit: OffsetUnit) throws(Failure) {
    spans = try params[.spans]?.requireBoolean() ?? false
    selectedLines = try params[.selectedLines]?.requireBoolean() ?? false
    moves = try params[.moves]?.requireBoolean() ?? true
    self.unit = unit
  }
}

/// The client's unit of offsets in texts.
package typealias PositionEncoding = OffsetUnit

extension OffsetUnit {
  /// The units by their names in `initialize`.
  static let byName: KeyValuePairs<String, OffsetUnit> = [
    "utf-8": .utf8, "utf-16": .utf16, "utf-32": .utf32,
  ]

  /// Returns the length of a UTF-8 text in the unit.
  func length(of text: ArraySlice<UInt8>) -> Int {
    switch self {
    case .utf8: text.count
    case .utf16: text.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : $1 >= 0xF0 ? 2 : 1) }
    case .utf32: text.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) }
    }
  }
}
