import JSONBytes
import ListText

/// What a row, a header or a footer holds, in the JSON of its part and its item.
struct JSONContent: TextContent {
  /// The value asked first.
  let part: UnsafeRawBufferPointer?
  let item: UnsafeRawBufferPointer

  /// The ranges of the parts in the item, if there are many.
  var parts: Range<Int>?

  /// The members as which a value that is no object counts.
  let bareNames: [[UInt8]]

  /// The names under which a bare item is its own member.
  static let itemNames = [Array("text".utf8), Array("id".utf8)]

  /// The name under which a bare header or footer is its own member.
  static let headerNames = [Array("text".utf8)]

  func append(_ member: [[UInt8]], to text: inout [UInt8]) -> Bool {
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

  func integer(_ member: [UInt8], within bounds: ClosedRange<Int>) -> BoundedInteger? {
    guard let value = find([member]), value[0] != 0x6E else { return nil }
    guard value[0] == 0x2D || (0x30...0x39).contains(value[0]) else {
      return BoundedInteger(value: nil, isExact: false)
    }
    let number = JSONNumber(value)
    let bounded = number.integer(within: bounds)
    return BoundedInteger(value: bounded?.value, isExact: bounded?.isExact ?? false)
  }

  private func find(_ member: [[UInt8]]) -> UnsafeRawBufferPointer? {
    if let part, let value = find(member[...], in: part, parts: nil) { return value }
    return find(member[...], in: item, parts: parts)
  }

  private func find(
    _ member: ArraySlice<[UInt8]>, in value: UnsafeRawBufferPointer, parts: Range<Int>?
  ) -> UnsafeRawBufferPointer? {
    if value[0] == 0x7B { return value.member(path: member, parts: parts) }
    // An item or a part that is an array is an object without members.
    if value[0] == 0x5B && bareNames == Self.itemNames { return nil }
    return member.count == 1 && bareNames.contains(member[member.startIndex]) ? value : nil
  }
}

extension UnsafeRawBufferPointer {
  /// The value that names lead to through objects that were checked; `nil` where there is none.
  ///
  /// `parts` is where the elements of an array in it are known to be.
  func member(
    path: ArraySlice<[UInt8]>, parts: Range<Int>? = nil
  ) -> UnsafeRawBufferPointer? {
    guard let name = path.first else { return self }
    guard self[0] == 0x7B else { return nil }
    var reader = JSONReader(self)
    var found: Range<Int>?
    checked { () throws(JSONError) in
      try reader.openObject()
      while let member = try reader.nextMember() {
        let value = try reader.skip(knowing: parts)
        if reader.isSame(member, name) { found = value }
      }
    }
    return found.flatMap {
      UnsafeRawBufferPointer(rebasing: self[$0]).member(path: path.dropFirst())
    }
  }
}

extension JSONReader {
  /// Whether a name is spelt by the given bytes.
  fileprivate func isSame(_ name: JSONString, _ bytes: [UInt8]) -> Bool {
    guard name.hasEscapes else {
      return bytes.withUnsafeBytes { Bytes.equal(self.bytes(name.range), $0) }
    }
    var decoded: [UInt8] = []
    decode(name, into: &decoded)
    return decoded == bytes
  }
}

extension [UInt8] {
  /// Appends JSON without the white space between its tokens.
  fileprivate mutating func append(compact json: UnsafeRawBufferPointer) {
    var isInString = false
    var isEscaped = false
    for byte in json {
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == 0x5C {
          isEscaped = true
        } else if byte == 0x22 {
          isInString = false
        }
      } else if byte == 0x22 {
        isInString = true
      } else if byte <= 0x20 {
        continue
      }
      append(byte)
    }
  }
}
