import ByteBuffers
import JSONBytes

extension Value {
  /// Names that members of items and parts cannot have, because listd gives them to rows.
  private static let reserved = ["$part", "$item"]

  /// Further names, which listd gives to rows of outlines.
  private static let ofOutlines = ["$level", "$children", "$expanded"]

  /// Checks that no member of an item or a part has a reserved name. If `takesOutlineRows`, the
  /// names of rows of outlines are allowed.
  ///
  /// - Throws: -32602.
  func checkNames(takesOutlineRows: Bool = false) throws(Failure) {
    for (name, value) in members ?? []
    where Self.reserved.contains(name) || !takesOutlineRows && Self.ofOutlines.contains(name) {
      throw .invalidParams(
        value.pointer, expected: "another name",
        "\(value.pointer): a member of an item cannot have the name \"\(name)\"")
    }
  }
}

extension ByteBuffer {
  /// The members of items, and of parts, that have a meaning in the protocol.
  private static let itemMembers: [StaticString] = ["id", "template", "selectable", "parts"]
  private static let partMembers: [StaticString] = ["id", "template", "parts"]

  /// Appends an item without the members that have a meaning in the protocol and are `null`;
  /// likewise its parts.
  mutating func append(withoutNulls item: UnsafeRawBufferPointer) {
    append(withoutNulls: item, of: Self.itemMembers)
  }

  /// Appends an object without those of the named members that are `null`. Of duplicate names, the
  /// last value counts.
  mutating func append(withoutNulls object: UnsafeRawBufferPointer, of names: [StaticString]) {
    var nulls: [StaticString] = []
    JSONReader(object).forEachMember { reader, name, value in
      guard let known = names.first(where: { reader.matches(name, $0) }) else { return }
      nulls.removeAll { $0 == known }
      if object[value.lowerBound] == 0x6E { nulls.append(known) }
    }
    append(0x7B)
    var isFirst = true
    JSONReader(object).forEachMember { reader, name, value in
      if nulls.contains(where: { reader.matches(name, $0) }) { return }
      if !isFirst { append(0x2C) }
      isFirst = false
      if names.count == Self.itemMembers.count, reader.matches(name, "parts"),
        object[value.lowerBound] == 0x5B
      {
        append("\"parts\":")
        append(partsWithoutNulls: UnsafeRawBufferPointer(rebasing: object[value]))
      } else {
        append(reader.bytes(name.range.lowerBound - 1..<value.upperBound))
      }
    }
    append(0x7D)
  }

  private mutating func append(partsWithoutNulls parts: UnsafeRawBufferPointer) {
    append(0x5B)
    JSONReader(parts).forEachElement { range in
      let part = UnsafeRawBufferPointer(rebasing: parts[range])
      appendSeparator()
      if part[0] == 0x7B {
        append(withoutNulls: part, of: Self.partMembers)
      } else {
        append(part)
      }
    }
    append(0x5D)
  }

  /// Removes the named members from the object that begins at `start` and was appended last.
  mutating func removeMembers(_ names: [StaticString], from start: Int) {
    let object = withUnsafeBytes { SharedBytes(copying: $0[start...]) }
    truncate(to: start)
    object.withBytes { append(object: $0, without: names, singleLine: false) }
  }
}

extension StaticString {
  /// Reports whether both are the same literal.
  static func == (a: StaticString, b: StaticString) -> Bool { a.utf8Start == b.utf8Start }
}
