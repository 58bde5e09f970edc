import ByteBuffers
import JSONBytes

/// Reads rows that arrive in parts as items of a list, as ``ListContent`` reads files.
///
/// What is not a row of the format, or has a key that came before, is counted and left out.
package struct ArrivingRows {
  package var options: ComparisonOptions

  /// The name of what the rows are read from, for messages.
  let name: String

  /// The number of lines so far.
  var lines = 0

  /// The number of rows that were left out, and the reason for the first.
  package private(set) var omitted = 0
  private var firstReason: String?

  /// What makes all rows invalid, as a message for people; `nil` if nothing does.
  var problem: String?

  /// The first record of delimited text, with its line end, and the number of its fields.
  var header: [UInt8]?
  var width = 0

  /// The delimiter of CSV, once it is known.
  var delimiter: UInt8?

  /// The identifiers so far, by their canonical form, and whether each was the member `id` of an item.
  private var identifiers: [[UInt8]: Bool] = [:]

  /// Whether the rest of a line that is too long is being skipped.
  private var skipsLine = false

  /// Rows with more bytes than this are left out.
  package static let longestRow = 16 << 20

  package init(_ options: ComparisonOptions, name: String) {
    self.options = options
    self.name = name
  }

  /// Whether rows can be read before all of them have arrived.
  package var areIndependent: Bool { options.input != .json }

  /// What was left out, as a message for people; `nil` if nothing was.
  package var note: String? {
    if let problem { return problem }
    guard let firstReason else { return nil }
    return omitted == 1
      ? "a row was left out: \(firstReason)"
      : "\(omitted) rows were left out: first, \(firstReason)"
  }

  /// Counts a row that is left out.
  package mutating func omit(_ reason: String) {
    omitted += 1
    if firstReason == nil { firstReason = reason }
  }

  /// Appends the member `items` or `sections` of a request for all rows of a text, which begins anew.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  package mutating func append(
    contentOf bytes: SharedBytes, to out: inout ByteBuffer
  ) throws(ComparisonFailure) {
    self = ArrivingRows(options, name: name)
    if !areIndependent { return try append(documentOf: bytes, to: &out) }
    out.append("\"items\":[")
    var items = ByteBuffer()
    _ = append(rowsOf: bytes, isLast: true, to: &items)
    out.append(contentsOf: items)
    out.append("]")
    if let problem { throw ComparisonFailure(problem) }
  }

  /// Appends the items of the complete rows at the beginning of a text, each after a comma except for
  /// the first in `out`. Returns the number of bytes of these rows. If `isLast`, all rows are complete.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  package mutating func append(
    rowsOf content: SharedBytes, isLast: Bool, to out: inout ByteBuffer
  ) -> Int {
    let bytes = content.bytes
    defer { withExtendedLifetime(content) {} }
    var start = 0
    if skipsLine {
      guard let end = Bytes.firstIndex(of: 0x0A, in: bytes, from: 0) else { return bytes.count }
      skipsLine = false
      lines += 1
      start = end + 1
    } else if lines == 0, header == nil, bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      start = 3
    }
    let rest = start..<bytes.count
    let end =
      switch options.input {
      case .csv, .tsv: append(records: rest, of: bytes, isLast: isLast, to: &out)
      case .ndjson: append(values: rest, of: bytes, isLast: isLast, to: &out)
      default:
        options.keyFields.isEmpty
          ? append(lines: rest, of: bytes, isLast: isLast, to: &out)
          : append(keyedLines: rest, of: bytes, isLast: isLast, to: &out)
      }
    guard !isLast, bytes.count - end > Self.longestRow else { return end }
    omit("line \(lines + 1) has more than \(Self.longestRow) bytes")
    skipsLine = true
    return bytes.count
  }

  /// Calls `body` for each line of a range that is complete, without its line end, and skips those that
  /// are too long. Returns the end of the lines.
  mutating func forEachLine(
    _ range: Range<Int>, of bytes: UnsafeRawBufferPointer, isLast: Bool,
    _ body: (inout ArrivingRows, Range<Int>) -> Void
  ) -> Int {
    var offset = range.lowerBound
    while offset < range.upperBound {
      let feed = Bytes.firstIndex(of: 0x0A, in: bytes, from: offset)
      guard let end = feed ?? (isLast ? range.upperBound : nil) else { return offset }
      lines += 1
      let hasReturn = end > offset && bytes[end - 1] == 0x0D
      let line = offset..<(hasReturn ? end - 1 : end)
      offset = feed == nil ? end : end + 1
      if line.count > Self.longestRow {
        omit("line \(lines) has more than \(Self.longestRow) bytes")
      } else {
        body(&self, line)
      }
    }
    return offset
  }

  /// Keeps the item that was appended to `out` from `start` on, unless its identifier came before.
  mutating func keep(itemFrom start: Int, of out: inout ByteBuffer, line: Int) {
    let (id, isMember) = out.withUnsafeBytes { bytes -> ([UInt8]?, Bool) in
      let item = UnsafeRawBufferPointer(rebasing: bytes[start...])
      let copy = SharedBytes(copying: item)
      return copy.withBytes { item in
        guard item.first == 0x7B else { return (Self.identifier(item), false) }
        let found = MemberSearch.value(at: "id", of: 0..<item.count, in: item)
        guard let found, item[found.lowerBound] != 0x6E else { return (nil, true) }
        return (Self.identifier(UnsafeRawBufferPointer(rebasing: item[found])), true)
      }
    }
    guard let id else { return }
    if let wasMember = identifiers[id], wasMember || isMember {
      out.truncate(to: start)
      omit("line \(line) has the key \(String(decoding: id, as: UTF8.self)), which came before")
    } else {
      identifiers[id] = isMember
    }
  }

  /// Returns the ranges of items that are separated by commas, in an array.
  package static func ranges(ofItemsIn array: SharedBytes) -> [Range<Int>] {
    array.withBytes { JSONMember.elements(of: 0..<$0.count, in: $0) }
  }

  private static func identifier(_ value: UnsafeRawBufferPointer) -> [UInt8] {
    var builder = RecordTable.Builder()
    builder.append(jsonKey: value)
    return builder.keys.withUnsafeBytes { Array($0) }
  }
}

extension ByteBuffer {
  /// Appends a comma, if anything was appended before.
  mutating func appendComma() { if !isEmpty { append(0x2C) } }

  /// Adds the member `bytes` to the item that was appended from `start` on: a text, or an object.
  mutating func add(bytes: UnsafeRawBufferPointer, toItemFrom start: Int) {
    let isObject = withUnsafeBytes { $0[start] == 0x7B }
    if isObject {
      removeLast()
    } else {
      let text = withUnsafeBytes { Array($0[start...]) }
      truncate(to: start)
      append("{\"text\":")
      append(contentsOf: text)
    }
    append(",\"bytes\":\"")
    append(base64: bytes)
    append("\"}")
  }
}
