import ByteBuffers
import JSONBytes
import ListState

extension ViewDefinition {
  /// Appends the row of an item in an outline: the item with the members that describe its
  /// position.
  package func append(
    _ item: UnsafeRawBufferPointer, _ row: OutlineRow, to text: inout [UInt8]
  ) {
    var own = ByteBuffer()
    switch item[0] {
    case 0x7B:
      // If the source is an outline, its members are replaced.
      let members = item[..<item.ownEnd]
      text.append(contentsOf: members)
      if members.dropFirst().contains(where: { $0 > 0x20 }) { own.append(0x2C) }
    case 0x5B: own.append(0x7B)
    default:
      own.append("{\"id\":")
      own.append(item)
      own.append(",\"text\":")
      own.append(item)
      own.append(0x2C)
    }
    own.append("\"$level\":")
    own.append(decimal: row.level)
    own.append(",\"$children\":")
    own.append(decimal: row.childCount)
    if let isExpanded = row.isExpanded {
      own.append(",\"$expanded\":")
      own.append(isExpanded ? "true" : "false")
    }
    own.append(0x7D)
    own.withUnsafeBytes { text.append(contentsOf: $0) }
  }
}

extension UnsafeRawBufferPointer {
  /// The maximum length, in bytes, of the members that an outline adds to an item.
  private static let longestRow = 80

  /// The offset of the members that an outline has added to an item; `nil` if there are none. Items
  /// of clients cannot have members with these names.
  private var outlineRow: Int? {
    guard count > 2, self[0] == 0x7B, self[count - 2] == 0x65 || self[count - 2] &- 0x30 < 10
    else { return nil }
    for start in Swift.max(1, count - Self.longestRow)..<count where self[start] == 0x22 {
      if isOutlineRow(from: start) { return start }
    }
    return nil
  }

  /// Returns whether the members that an outline adds are all that follows an offset.
  private func isOutlineRow(from start: Int) -> Bool {
    var index = start
    func skip(_ word: StaticString) -> Bool {
      guard Bytes.has(word, in: self, at: index) else { return false }
      index += word.utf8CodeUnitCount
      return true
    }
    func skipDigits() { while index < count, self[index] &- 0x30 < 10 { index += 1 } }
    guard skip("\"$level\":") else { return false }
    skipDigits()
    guard skip(",\"$children\":") else { return false }
    skipDigits()
    if skip(",\"$expanded\":") { guard skip("true") || skip("false") else { return false } }
    return index == count - 1
  }

  /// The offset after the last member of an object that no outline has added.
  fileprivate var ownEnd: Int {
    guard let start = outlineRow else { return count - 1 }
    return start > 1 && self[start - 1] == 0x2C ? start - 1 : start
  }

  /// Whether the item has the members that an outline adds.
  package var hasOutlineRow: Bool { outlineRow != nil }

  /// Returns the item without the members that an outline has added; a bare item, if `isBare`, in
  /// its original form.
  package func withoutOutlineRow(isBare: Bool) -> [UInt8] {
    let item = Array(self[..<ownEnd]) + [0x7D]
    guard isBare else { return item }
    return item.withUnsafeBytes { bytes in
      var members = MemberPaths()
      let id = members.index(of: Array("id".utf8))
      var values = MemberValues(members)
      values.read(bytes)
      return values[id].map { Array($0) } ?? item
    }
  }
}
