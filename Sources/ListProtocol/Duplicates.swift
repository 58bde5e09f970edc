import JSONBytes
import ListState

/// An identifier that was given twice, and all places where it stands.
struct Duplicate {
  let key: UInt32
  var pointers: [String]

  /// Whether it is that of several parts of an item.
  var isOfParts = false
}

extension Snapshot {
  /// Every identifier of a section or an item that was given twice, sections first, where the
  /// snapshot was read from the value of `sections` or `items`.
  ///
  /// `clashing` are sections and items that are in a list already to which they are to come.
  func duplicates(
    sections: String?, items: String?, clashing: (sections: [Int], items: [Int]) = ([], [])
  ) -> [Duplicate] {
    var found: [Duplicate] = []
    var pointers: [UInt32: [String]] = [:]
    var known = Set(clashing.sections.map { arrangement.sections[$0] })
    for (index, key) in arrangement.sections.enumerated() {
      pointers[key, default: []].append("\(sections ?? "")/\(index)")
    }
    for key in arrangement.sections {
      guard let places = pointers.removeValue(forKey: key) else { continue }
      if places.count > 1 || known.contains(key) {
        found.append(Duplicate(key: key, pointers: places))
      }
    }
    known = Set(clashing.items.map { arrangement.rows[$0] })
    var counts: [UInt32: Int] = [:]
    var promised = Set<UInt32>()
    for (item, key) in arrangement.rows.enumerated() {
      counts[key, default: 0] += 1
      if traits[item].contains(.promised) { promised.insert(key) }
    }
    for section in self.sections.indices {
      let range = arrangement.range(ofSection: section)
      let base = sections.map { "\($0)/\(section)/items" } ?? items ?? ""
      for item in range {
        let key = arrangement.rows[item]
        guard counts[key]! > 1 && promised.contains(key) || known.contains(key) else { continue }
        pointers[key, default: []].append("\(base)/\(item - range.lowerBound)")
      }
    }
    for key in arrangement.rows {
      guard let places = pointers.removeValue(forKey: key) else { continue }
      found.append(Duplicate(key: key, pointers: places))
    }
    return found
  }

  /// Every identifier that is twice in a snapshot that is to be copied, which stands nowhere in the
  /// message but by name.
  func duplicates(copiedBy pointer: String) -> [Duplicate] {
    duplicates(sections: nil, items: nil).map { Duplicate(key: $0.key, pointers: [pointer]) }
  }
}

extension Failure {
  /// Identifiers that were given twice, each with all places where it stands.
  static func duplicates(
    _ found: [Duplicate], _ ids: borrowing IDTable, _ words: String? = nil
  ) -> Failure {
    var data = FailureData()
    var first = ByteBuffer()
    if let duplicate = found.first { first.append(id: duplicate.key, ids) }
    let name = first.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    data.add("duplicates") { buffer in
      buffer.append(0x5B)
      for (place, duplicate) in found.enumerated() {
        buffer.append(place == 0 ? "{\"id\":" : ",{\"id\":")
        buffer.append(id: duplicate.key, ids)
        buffer.append(",\"pointers\":[")
        for (place, pointer) in duplicate.pointers.enumerated() {
          if place > 0 { buffer.append(0x2C) }
          buffer.append(string: pointer)
        }
        buffer.append("]}")
      }
      buffer.append(0x5D)
    }
    return Failure(
      .duplicateIdentifier, words ?? "the identifier \(name) is given more than once",
      data: data.bytes)
  }
}

extension ByteBuffer {
  /// Appends an identifier as JSON.
  mutating func append(id key: UInt32, _ ids: borrowing IDTable) {
    let bytes = ids.bytes(of: key)
    if ids.kind(of: key) == .string {
      bytes.withUnsafeBytes { append(string: $0) }
    } else {
      append(contentsOf: bytes)
    }
  }
}
