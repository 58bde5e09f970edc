import JSONBytes
import ListState

extension Snapshot {
  /// The failure that names every identifier that was given twice, sections first.
  func duplicates(ids: borrowing IDTable, sections: String?, items: String?) -> Failure {
    .duplicates(repeated(sections: sections, items: items), ids)
  }

  /// The failure that a snapshot that is to be copied has identifiers twice, which stand nowhere in
  /// the message.
  func duplicates(ids: borrowing IDTable, copiedBy pointer: String) -> Failure {
    .duplicates(repeated(sections: nil, items: nil).map { ($0.key, [pointer]) }, ids)
  }

  private func repeated(
    sections: String?, items: String?
  ) -> [(key: UInt32, pointers: [String])] {
    var found: [(key: UInt32, pointers: [String])] = []
    var pointers: [UInt32: [String]] = [:]
    for (index, key) in arrangement.sections.enumerated() {
      pointers[key, default: []].append("\(sections ?? "")/\(index)")
    }
    for key in arrangement.sections {
      if let places = pointers.removeValue(forKey: key), places.count > 1 {
        found.append((key, places))
      }
    }
    var promised = Set<UInt32>()
    var counts: [UInt32: Int] = [:]
    for (item, key) in arrangement.rows.enumerated() {
      counts[key, default: 0] += 1
      if traits[item].contains(.promised) { promised.insert(key) }
    }
    for section in self.sections.indices {
      let range = arrangement.range(ofSection: section)
      let base = sections.map { "\($0)/\(section)/items" } ?? items ?? ""
      for item in range where counts[arrangement.rows[item]]! > 1 {
        let key = arrangement.rows[item]
        guard promised.contains(key) else { continue }
        pointers[key, default: []].append("\(base)/\(item - range.lowerBound)")
      }
    }
    for key in arrangement.rows {
      if let places = pointers.removeValue(forKey: key) { found.append((key, places)) }
    }
    return found
  }
}

extension Failure {
  /// Identifiers that were given twice, each with all places where it stands.
  static func duplicates(
    _ found: [(UInt32, [String])], _ ids: borrowing IDTable
  ) -> Failure {
    var data = FailureData()
    var first = ByteBuffer()
    if let (key, _) = found.first { first.append(id: key, ids) }
    let name = first.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    data.add("duplicates") { buffer in
      buffer.append(0x5B)
      for (place, (key, pointers)) in found.enumerated() {
        buffer.append(place == 0 ? "{\"id\":" : ",{\"id\":")
        buffer.append(id: key, ids)
        buffer.append(",\"pointers\":[")
        for (place, pointer) in pointers.enumerated() {
          if place > 0 { buffer.append(0x2C) }
          buffer.append(string: pointer)
        }
        buffer.append("]}")
      }
      buffer.append(0x5D)
    }
    return Failure(
      .duplicateIdentifier, "the identifier \(name) is given more than once", data: data.bytes)
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
