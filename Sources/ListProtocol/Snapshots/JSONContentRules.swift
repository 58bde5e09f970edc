import ByteBuffers
import JSONBytes
import ListState

/// Contents are equal if they are equal JSON values.
struct JSONContentRules: ContentRules {
  func isSameItem(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
    JSONEquality.equal(a, b) || Self.isEmptyObject(a) && Self.isEmptyObject(b)
  }

  func isSameSection(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
    JSONEquality.equal(a, b)
  }

  func isSameBesideParts(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
    if let isSame = JSONEquality.equal(a, b, besides: "parts") { return isSame }
    var left = ByteBuffer()
    var right = ByteBuffer()
    left.append(object: a, without: ["parts"], singleLine: false)
    right.append(object: b, without: ["parts"], singleLine: false)
    let one = left.shared()
    let other = right.shared()
    return one.withBytes { one in other.withBytes { JSONEquality.equal(one, $0) } }
  }

  func sectionName(_ list: [UInt8], _ ids: borrowing IDTable, _ key: UInt32) -> [UInt8] {
    var name = ByteBuffer()
    name.append(contentsOf: list)
    name.append(0x2F)
    let id = ids.bytes(of: key)
    if ids.kind(of: key) == .string, Self.isMistakable(id) {
      name.append(id: key, ids)
    } else {
      name.append(contentsOf: id)
    }
    return name.withUnsafeBytes { Array($0) }
  }

  func renamed(_ own: UnsafeRawBufferPointer, _ id: [UInt8]) -> [UInt8] {
    var result = ByteBuffer()
    result.append("{\"id\":")
    id.withUnsafeBytes { result.append(string: $0) }
    var rest = ByteBuffer()
    rest.append(object: own, without: ["id"], singleLine: false)
    if rest.count > 2 { result.append(",") }
    rest.withUnsafeBytes { result.append(UnsafeRawBufferPointer(rebasing: $0.dropFirst())) }
    return result.withUnsafeBytes { Array($0) }
  }

  /// Reports whether an item or a part is an object without members, which may be written as an
  /// empty array.
  private static func isEmptyObject(_ item: UnsafeRawBufferPointer) -> Bool {
    (item[0] == 0x7B || item[0] == 0x5B)
      && item.dropFirst().allSatisfy { $0 <= 0x20 || $0 == 0x7D || $0 == 0x5D }
  }

  /// Reports whether a string could be mistaken for an integer or for the JSON of a string.
  private static func isMistakable(_ id: ArraySlice<UInt8>) -> Bool {
    if id.count >= 2, id.first == 0x22, id.last == 0x22 { return true }
    let digits = id.first == 0x2D ? id.dropFirst() : id
    return !digits.isEmpty && digits.allSatisfy { (0x30...0x39).contains($0) }
  }
}
