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
      for (index, range) in JSONReader.elements(ofMember: "parts", in: bytes).enumerated() {
        parts[index].payload = Payload(
          start: Int(text.start) + range.lowerBound, length: range.count, buffer: Int(text.buffer))
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
    var numbers: [[UInt8]: Int] = [:]
    var promised = Set<UInt32>()
    var named: [(id: UInt32, index: Int)] = []
    var result = Parts()
    for (index, part) in try parts.requireElements().enumerated() {
      var template: UInt32 = 0
      let key: UInt32
      let payload = Payload(
        start: part.range.lowerBound, length: part.range.count,
        buffer: SnapshotReader.messageBuffer)
      if let id = ids.identifier(part) {
        named.append((id, index))
        key = ids.partKey("b", [id, numbers.next(of: [0x62] + id.bytes)])
      } else {
        let members = try Members(part)
        if members.hasNulls { result.hasNulls = true }
        if let nested = members.parts {
          throw nested.failure(expected: "no parts in a part")
        }
        if let name = members.template { template = try ids.template(name, default: "Cell") }
        if let value = members.id {
          guard let id = ids.identifier(value) else {
            throw value.failure(expected: "a string or an integer")
          }
          promised.insert(id)
          named.append((id, index))
          key = ids.partKey("b", [id, 0])
        } else {
          key = ids.partKey("t", [template, numbers.next(of: [0x74] + template.bytes)])
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
      guard let members = part.members else {
        throw part.failure(expected: "a string, an integer or an object")
      }
      try part.checkNames()
      for (name, value) in members {
        let isNull = value.kind == .null
        switch name {
        case "id": id = isNull ? nil : value
        case "template": template = isNull ? nil : value
        case "parts": parts = isNull ? nil : value
        default: continue
        }
        if isNull { hasNulls = true }
      }
    }
  }
}

extension JSONReader {
  /// Returns the ranges of the elements of a member of an object; of duplicate names, the last
  /// counts.
  fileprivate static func elements(
    ofMember name: StaticString, in object: UnsafeRawBufferPointer
  ) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var reader = JSONReader(object)
    checked { () throws(JSONError) in
      try reader.openObject()
      while let member = try reader.nextMember() {
        let value = try reader.skip()
        guard reader.matches(member, name) else { continue }
        ranges = []
        if object[value.lowerBound] != 0x5B { continue }
        var inside = reader.moved(to: value.lowerBound, depth: 0)
        try inside.openArray()
        while try inside.nextElement() { ranges.append(try inside.skip()) }
      }
    }
    return ranges
  }
}

extension IDTable {
  /// Returns the key of a value that is a string or an integer, else `nil`.
  mutating func identifier(_ value: Value) -> UInt32? {
    var scratch = ByteBuffer()
    return intern(JSONReader(value.message.bytes), value.range, &scratch)
  }

  fileprivate mutating func partKey(_ kind: Unicode.Scalar, _ numbers: [UInt32]) -> UInt32 {
    let bytes = [UInt8(ascii: kind)] + numbers.flatMap(\.bytes)
    return bytes.withUnsafeBytes { intern(.part, $0) }
  }
}

extension UInt32 {
  fileprivate var bytes: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: self >> ($0 * 8)) } }
}

extension [[UInt8]: Int] {
  /// Returns the number of earlier calls with `key`.
  fileprivate mutating func next(of key: [UInt8]) -> UInt32 {
    defer { self[key, default: 0] += 1 }
    return UInt32(self[key] ?? 0)
  }
}
