import JSONBytes
import ListState

extension ViewDefinition {
  /// Appends the row of an item in an outline: the item with the members that describe its
  /// position.
  package func append(
    _ item: UnsafeRawBufferPointer, _ row: OutlineRow, to text: inout [UInt8]
  ) {
    let start = text.count
    switch item[0] {
    case 0x7B:
      // If the source is an outline, its members are replaced.
      text.append(contentsOf: item[..<item.ownEnd])
      if text[(start + 1)...].contains(where: { $0 > 0x20 }) { text.append(0x2C) }
    case 0x5B: text.append(0x7B)
    default:
      text += Array("{\"id\":".utf8)
      text.append(contentsOf: item)
      text += Array(",\"text\":".utf8)
      text.append(contentsOf: item)
      text.append(0x2C)
    }
    text += Array("\"$level\":\(row.level),\"$children\":\(row.childCount)".utf8)
    if let isExpanded = row.isExpanded { text += Array(",\"$expanded\":\(isExpanded)".utf8) }
    text.append(0x7D)
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
    return (Swift.max(1, count - Self.longestRow)..<count).first { isOutlineRow(from: $0) }
  }

  /// Returns whether the members that an outline adds are all that follows an offset.
  private func isOutlineRow(from start: Int) -> Bool {
    var index = start
    func skip(_ word: StaticString) -> Bool {
      let end = index + word.utf8CodeUnitCount
      guard end <= count, self[index..<end].elementsEqual(Array("\(word)".utf8)) else {
        return false
      }
      index = end
      return true
    }
    func skipDigits() { while index < count, self[index] &- 0x30 < 10 { index += 1 } }
    guard self[index] == 0x22, skip("\"$level\":") else { return false }
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
