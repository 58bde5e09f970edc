import ByteBuffers
import JSONBytes
import ListState

/// Reads the parts of an item. Each part is a row.
enum PartsReader {
  /// The parts of an item, and whether a member with a meaning in the protocol is `null` in one of
  /// them.
  struct Parts {
    var parts: [Part] = []
    var hasNulls = false

    /// Replaces the texts of the parts by those in a copy of their item, which has a text and
    /// `bytes`.
    mutating func move(to text: Payload, _ bytes: UnsafeRawBufferPointer) {
      guard let range = bytes.rangeOfMember(Array("parts".utf8)), bytes[range.lowerBound] == 0x5B
      else { return }
      var index = 0
      JSONReader(bytes, from: range.lowerBound).forEachElement { range in
        parts[index].payload = Payload(
          start: Int(text.start) + range.lowerBound, length: range.count, buffer: Int(text.buffer))
        index += 1
      }
    }
  }

  /// Reads the parts of the item at a position. Their texts are in the message. Duplicates are
  /// appended to `duplicates`.
  ///
  /// The identity of a part is its `id`, or else its template and the number of such parts before
  /// it; that of a bare part is its value.
  ///
  /// - Throws: -32602 for an invalid part.
  static func read(
    _ parts: Value, of position: SnapshotReader.Position, _ ids: inout IDTable,
    _ duplicates: inout [Duplicate]
  ) throws(Failure) -> Parts {
    var numbers: [UInt64: UInt32] = [:]
    var promised = Set<UInt32>()
    var named: [(id: UInt32, index: Int)] = []
    var result = Parts()
    var scratch = ByteBuffer()
    let elements = try parts.requireElements()
    result.parts.reserveCapacity(elements.count)
    for (index, part) in elements.enumerated() {
      var template: UInt32 = 0
      let key: UInt32
      let payload = Payload(
        start: part.range.lowerBound, length: part.range.count,
        buffer: SnapshotReader.messageBuffer)
      if let id = ids.identifier(part, &scratch) {
        named.append((id, index))
        key = ids.partKey(.named, id, numbers.next(of: .named, id), &scratch)
      } else {
        let members = try Members(part)
        if members.hasNulls { result.hasNulls = true }
        if let nested = members.parts {
          throw nested.failure(expected: "no parts in a part")
        }
        if let name = members.template { template = try ids.template(name, default: "Cell") }
        if let value = members.id {
          guard let id = ids.identifier(value, &scratch) else {
            throw value.failure(expected: "a string or an integer")
          }
          promised.insert(id)
          named.append((id, index))
          key = ids.partKey(.named, id, 0, &scratch)
        } else {
          let number = numbers.next(of: .unnamed, template)
          key = ids.partKey(.unnamed, template, number, &scratch)
        }
      }
      result.parts.append(Part(key: key, payload: payload, template: template))
    }
    if !promised.isEmpty {
      var pointers: [UInt32: [String]] = [:]
      let pointer = position.pointer + "/parts"
      for (id, index) in named where promised.contains(id) {
        pointers[id, default: []].append("\(pointer)/\(index)")
      }
      for (id, _) in named {
        guard let locations = pointers.removeValue(forKey: id), locations.count > 1 else {
          continue
        }
        duplicates.append(Duplicate(key: id, pointers: locations, isOfParts: true))
      }
    }
    return result
  }

  private struct Members {
    var id: Value?
    var template: Value?
    var parts: Value?
    var hasNulls = false

    init(_ part: Value) throws(Failure) {
      guard part.kind == .object else {
        if part.elements?.isEmpty == true { return }
        throw part.failure(expected: "a string, an integer or an object")
      }
      var mayBeReserved = false
      part.reader.forEachMember { reader, name, range in
        let isNull = reader.bytes(range)[0] == 0x6E
        let value = isNull ? nil : Value(in: part, range: range)
        if reader.matches(name, "id") {
          id = value
        } else if reader.matches(name, "template") {
          template = value
        } else if reader.matches(name, "parts") {
          parts = value
        } else {
          if name.hasEscapes || reader.bytes(name).first == 0x24 { mayBeReserved = true }
          return
        }
        if isNull { hasNulls = true }
      }
      if mayBeReserved { try part.checkNames() }
    }
  }
}

extension IDTable {
  /// Returns the key of a value that is a string or an integer, else `nil`.
  fileprivate mutating func identifier(_ value: Value, _ scratch: inout ByteBuffer) -> UInt32? {
    intern(JSONReader(value.message.bytes), value.range, &scratch)
  }

  /// Returns the key of a part, given that of its identifier or its template, and the number of such parts
  /// before it.
  fileprivate mutating func partKey(
    _ kind: PartKind, _ name: UInt32, _ number: UInt32, _ scratch: inout ByteBuffer
  ) -> UInt32 {
    scratch.removeAll()
    scratch.append(kind.rawValue)
    for shift in stride(from: 0, to: 64, by: 8) {
      scratch.append(UInt8(truncatingIfNeeded: (UInt64(number) << 32 | UInt64(name)) >> shift))
    }
    return scratch.withUnsafeBytes { intern(.part, $0) }
  }
}

/// What identifies a part among those of its item: its identifier, or its template.
private enum PartKind: UInt8 {
  case named = 0x62
  case unnamed = 0x74
}

extension [UInt64: UInt32] {
  /// Returns the number of earlier calls for the same kind and name.
  fileprivate mutating func next(of kind: PartKind, _ name: UInt32) -> UInt32 {
    let key = UInt64(kind.rawValue) << 32 | UInt64(name)
    self[key, default: 0] += 1
    return self[key]! - 1
  }
}
