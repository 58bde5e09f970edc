import ByteBuffers
import JSONBytes
import ListState
import ListText

/// The content of a row, a header or a footer, as the JSON of a part and its item.
struct JSONContent: TextContent {
  /// The value that is searched first.
  let part: UnsafeRawBufferPointer?
  let item: UnsafeRawBufferPointer

  /// The range of the parts in the item, if there are many.
  var parts: Range<Int>?

  /// The matches of a query in members of the item, as byte ranges of their texts.
  var matches: [(member: [UInt8], ranges: [Range<Int>])] = []

  /// The member names under which a value that is not an object is found.
  let bareNames: [[UInt8]]

  /// The member names of a bare item.
  static let itemNames = [Array("text".utf8), Array("id".utf8)]

  /// The member name of a bare header or footer.
  static let headerNames = [Array("text".utf8)]

  /// Creates the content of a row.
  init(_ row: ListRows.Row, matches: [(member: [UInt8], ranges: [Range<Int>])]) {
    part = row.part
    item = row.item
    parts = row.parts
    bareNames = Self.itemNames
    self.matches = matches
  }

  /// Creates the content of the header or the footer in a section's own members; `nil` if it is
  /// missing.
  init?(_ member: String, of own: UnsafeRawBufferPointer) {
    guard let value = own.member(Array(member.utf8)), value[0] != 0x6E else { return nil }
    part = nil
    item = value
    bareNames = Self.headerNames
  }

  func append(_ member: [UInt8], to text: inout [UInt8]) -> Bool {
    guard let value = find(member) else { return false }
    switch value[0] {
    case 0x22:
      let inside = JSONString(
        range: 1..<value.count - 1,
        hasEscapes: Bytes.firstIndex(of: 0x5C, in: value, from: 0) != nil)
      JSONReader(value).decode(inside, into: &text)
    case 0x6E: break
    default: text.append(compact: value)
    }
    return true
  }

  func matches(of member: [UInt8]) -> [Range<Int>] {
    guard let found = matches.first(where: { $0.member == member }) else { return [] }
    // Members of the part were not matched.
    if let part, find(member, in: part, parts: nil) != nil { return [] }
    return found.ranges
  }

  func boolean(_ member: [UInt8]) -> Bool? {
    guard let value = find(member) else { return nil }
    return value[0] == 0x74 ? true : value[0] == 0x66 ? false : nil
  }

  func integer(_ member: [UInt8], within bounds: ClosedRange<Int>) -> BoundedInteger? {
    guard let value = find(member), value[0] != 0x6E else { return nil }
    guard value[0] == 0x2D || (0x30...0x39).contains(value[0]) else {
      return BoundedInteger(value: nil, isExact: false)
    }
    let number = JSONNumber(value)
    let bounded = number.integer(within: bounds)
    return BoundedInteger(value: bounded?.value, isExact: bounded?.isExact ?? false)
  }

  private func find(_ member: [UInt8]) -> UnsafeRawBufferPointer? {
    if let part, let value = find(member, in: part, parts: nil) { return value }
    return find(member, in: item, parts: parts)
  }

  private func find(
    _ member: [UInt8], in value: UnsafeRawBufferPointer, parts: Range<Int>?
  ) -> UnsafeRawBufferPointer? {
    if value[0] == 0x7B { return value.member(member, parts: parts) }
    // An item or a part that is an array is an object without members.
    if value[0] == 0x5B && bareNames == Self.itemNames { return nil }
    return bareNames.contains(member) ? value : nil
  }
}
