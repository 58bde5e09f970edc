import JSONBytes

/// A JSON value as a tree, with numbers as text.
indirect enum PlainValue {
  case null
  case bool(Bool)
  case number(String)
  /// The content in UTF-8, in which lone surrogates are encoded like other characters.
  case string([UInt8])
  case array([PlainValue])
  /// The members, with the last value of each name, and whether a name is repeated.
  case object([[UInt8]: PlainValue], repeats: Bool)

  /// Reads a valid JSON text.
  init(_ text: UnsafeRawBufferPointer) {
    var reader = JSONReader(text)
    do throws(JSONError) {
      self = try Self.value(&reader)
    } catch { preconditionFailure("a valid text cannot be read: \(error)") }
  }

  private static func value(_ reader: inout JSONReader) throws(JSONError) -> PlainValue {
    switch try reader.peek() {
    case .object:
      var members: [[UInt8]: PlainValue] = [:]
      var repeats = false
      try reader.openObject()
      while let member = try reader.nextMember() {
        var name: [UInt8] = []
        reader.decode(member, into: &name)
        if members.updateValue(try value(&reader), forKey: name) != nil { repeats = true }
      }
      return .object(members, repeats: repeats)
    case .array:
      var elements: [PlainValue] = []
      try reader.openArray()
      while try reader.nextElement() { elements.append(try value(&reader)) }
      return .array(elements)
    case .string:
      var content: [UInt8] = []
      reader.decode(try reader.string(), into: &content)
      return .string(content)
    case .number: return .number(String(decoding: reader.bytes(try reader.skip()), as: UTF8.self))
    case let kind:
      _ = try reader.skip()
      return kind == .null ? .null : .bool(kind == .true)
    }
  }

  /// Whether two values are equal; nil if that depends on digits that a `Double` cannot hold.
  func isSame(as other: PlainValue) -> Bool? {
    switch (self, other) {
    case (.null, .null): return true
    case (.bool(let a), .bool(let b)): return a == b
    case (.string(let a), .string(let b)): return a == b
    case (.number(let a), .number(let b)):
      if a == b { return true }
      guard let left = Double(a), let right = Double(b) else { return nil }
      if left != right { return false }
      return left.isNormal && a.utf8.count <= 15 && b.utf8.count <= 15 ? true : nil
    case (.array(let a), .array(let b)):
      return a.count == b.count ? Self.all(zip(a, b).lazy.map { $0.isSame(as: $1) }) : false
    case (.object(let a, _), .object(let b, _)):
      return a.count == b.count
        ? Self.all(a.lazy.map { name, value in b[name].map { value.isSame(as: $0) } ?? false })
        : false
    default: return false
    }
  }

  private static func all(_ answers: some Sequence<Bool?>) -> Bool? {
    var result: Bool? = true
    for answer in answers {
      if answer == false { return false }
      if answer == nil { result = nil }
    }
    return result
  }
}
