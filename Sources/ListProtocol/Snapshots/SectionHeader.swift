import ByteBuffers
import JSONBytes
import ListState

/// The own members of a section that have a meaning in the protocol, collected while it is read.
struct SectionHeader {
  private(set) var id: UInt32?
  private var headerTemplate: UInt32?
  private var footerTemplate: UInt32?
  private var selectionMode: SelectionMode?
  private var allowsEmptySelection: Bool?

  /// Records a member. Of duplicate names, the last value counts.
  mutating func record(
    _ name: JSONString, _ value: Value, _ reader: JSONReader, _ ids: inout IDTable
  ) throws(Failure) {
    let isNull = value.kind == .null
    if reader.matches(name, "id") {
      var scratch = ByteBuffer()
      let key = ids.intern(reader, value.range, &scratch)
      guard isNull || key != nil else {
        throw value.failure(expected: "a string or an integer")
      }
      id = key
    } else if reader.matches(name, "headerTemplate") {
      headerTemplate = isNull ? nil : try ids.template(value, default: "Header")
    } else if reader.matches(name, "footerTemplate") {
      footerTemplate = isNull ? nil : try ids.template(value, default: "Footer")
    } else if reader.matches(name, "selectionMode") {
      selectionMode = isNull ? nil : try value.requireSelectionMode()
    } else if reader.matches(name, "allowsEmptySelection") {
      allowsEmptySelection = isNull ? nil : try value.requireBoolean()
    }
  }

  /// Returns the traits of a section with these members.
  func traits(own: Payload) -> SectionTraits {
    var traits = SectionTraits(own: own)
    traits.selectionMode = selectionMode ?? .single
    traits.allowsEmptySelection = allowsEmptySelection ?? (traits.selectionMode != .single)
    traits.headerTemplate = headerTemplate ?? 0
    traits.footerTemplate = footerTemplate ?? 0
    return traits
  }
}

extension IDTable {
  /// Returns the key of a string or an integer that was checked, else `nil`.
  mutating func intern(
    _ reader: JSONReader, _ range: Range<Int>, _ scratch: inout ByteBuffer
  ) -> UInt32? {
    let bytes = reader.bytes(range)
    switch bytes[0] {
    case 0x22:
      let inside = range.lowerBound + 1..<range.upperBound - 1
      let content = reader.bytes(inside)
      guard Bytes.firstIndex(of: 0x5C, in: content, from: 0) != nil else {
        return intern(.string, content)
      }
      scratch.removeAll()
      reader.decode(JSONString(range: inside, hasEscapes: true), into: &scratch)
      return scratch.withUnsafeBytes { intern(.string, $0) }
    case 0x2D, 0x30...0x39:
      let number = JSONNumber(bytes)
      if number.isInteger, bytes.count <= Self.mostDigits {
        return intern(.integer, number.integerDigits)
      }
      return number.integerDigits(limit: Self.mostDigits)
        .map { $0.withUnsafeBytes { intern(.integer, $0) } }
    default: return nil
    }
  }

  /// The maximum number of digits of an integer that is an identifier.
  static let mostDigits = 1000

  /// Returns the key of a template's name plus one; 0 for the default template.
  mutating func template(_ value: Value, default name: StaticString) throws(Failure) -> UInt32 {
    let key = value.withString { bytes in
      let isDefault = name.withUTF8Buffer { Bytes.equal(bytes, UnsafeRawBufferPointer($0)) }
      return isDefault ? 0 : intern(.string, bytes) + 1
    }
    guard let key else { throw value.failure(expected: "a string") }
    return key
  }
}
