import JSONBytes

extension Value {
  /// The names that members of items and parts do not have, because listd gives them to rows.
  private static let reserved = ["$part", "$item"]

  /// The names that rows of outlines have beside these.
  private static let ofOutlines = ["$level", "$children", "$expanded"]

  /// Makes sure that no member of an item or a part has a name that is reserved, or none but those of
  /// rows of outlines.
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
  /// The members of items that mean something to the protocol; those of parts are among them.
  private static let itemMembers: [StaticString] = ["id", "template", "selectable", "parts"]
  static let partMembers: [StaticString] = ["id", "template", "parts"]

  /// Appends an item without the members that mean something to the protocol and are `null`, in its
  /// parts, too.
  mutating func append(withoutNulls item: UnsafeRawBufferPointer) {
    append(withoutNulls: item, of: Self.itemMembers)
  }

  /// Appends an object without those members of some names that are `null`; of a repeated name the
  /// last counts.
  mutating func append(withoutNulls object: UnsafeRawBufferPointer, of names: [StaticString]) {
    var nulls: [StaticString] = []
    forEachMember(of: object) { reader, name, value in
      guard let known = names.first(where: { reader.matches(name, $0) }) else { return }
      nulls.removeAll { $0 == known }
      if object[value.lowerBound] == 0x6E { nulls.append(known) }
    }
    append(0x7B)
    var isFirst = true
    forEachMember(of: object) { reader, name, value in
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
    var reader = JSONReader(parts)
    append(0x5B)
    var isFirst = true
    checked { () throws(JSONError) in
      try reader.openArray()
      while try reader.nextElement() {
        let kind = try reader.peek()
        let part = reader.bytes(try reader.skip())
        if !isFirst { append(0x2C) }
        isFirst = false
        if kind == .object {
          append(withoutNulls: part, of: Self.partMembers)
        } else {
          append(part)
        }
      }
    }
    append(0x5D)
  }

  /// Removes the members of some names from the object that was appended last, from `start` on.
  mutating func removeMembers(_ names: [StaticString], from start: Int) {
    let object = withUnsafeBytes { Array($0[start...]) }
    truncate(to: start)
    append(0x7B)
    object.withUnsafeBytes { object in
      forEachMember(of: object) { reader, name, value in
        if names.contains(where: { reader.matches(name, $0) }) { return }
        if count > start + 1 { append(0x2C) }
        append(reader.bytes(name.range.lowerBound - 1..<value.upperBound))
      }
    }
    append(0x7D)
  }
}

private func forEachMember(
  of object: UnsafeRawBufferPointer, _ body: (JSONReader, JSONString, Range<Int>) -> Void
) {
  var reader = JSONReader(object)
  checked { () throws(JSONError) in
    try reader.openObject()
    while let name = try reader.nextMember() { body(reader, name, try reader.skip()) }
  }
}

extension StaticString {
  /// Whether both are the same literal.
  static func == (a: StaticString, b: StaticString) -> Bool { a.utf8Start == b.utf8Start }
}
