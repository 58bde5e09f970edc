import JSONBytes
import ListState

extension ViewDefinition {
  /// Appends what a row of an outline shows: the item, and where it is in the outline.
  package func append(
    _ item: UnsafeRawBufferPointer, _ row: OutlineRow, to text: inout [UInt8]
  ) {
    let start = text.count
    switch item[0] {
    case 0x7B:
      // What an outline among the sources has added is replaced.
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
  /// The most bytes that the members have which a row of an outline adds to an item.
  private static let longestRow = 80

  /// Where the members begin that a row of an outline has added to an item; `nil` if it has not. No
  /// others of the item's own members have their names.
  private var outlineRow: Int? {
    guard count > 2, self[0] == 0x7B, self[count - 2] == 0x65 || self[count - 2] &- 0x30 < 10
    else { return nil }
    return (Swift.max(1, count - Self.longestRow)..<count).first { isOutlineRow(from: $0) }
  }

  /// Whether what a row of an outline adds is all that there is from an index on.
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

  /// Where the members of an object end that no outline has added.
  fileprivate var ownEnd: Int {
    guard let start = outlineRow else { return count - 1 }
    return start > 1 && self[start - 1] == 0x2C ? start - 1 : start
  }

  /// Whether the item has what a row of an outline adds.
  package var hasOutlineRow: Bool { outlineRow != nil }

  /// The item without what a row of an outline has added; a bare one, which `isBare`, as it was.
  package func withoutOutlineRow(isBare: Bool) -> [UInt8] {
    let item = Array(self[..<ownEnd]) + [0x7D]
    guard isBare else { return item }
    return item.withUnsafeBytes { bytes in
      var members = MemberPaths()
      let id = members.index(of: [Array("id".utf8)])
      var values = MemberValues(members)
      values.read(bytes)
      return values[id].map { Array($0) } ?? item
    }
  }
}
