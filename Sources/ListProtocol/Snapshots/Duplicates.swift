import ByteBuffers
import JSONBytes
import ListState

/// A duplicate identifier, and the pointers to all of its occurrences.
struct Duplicate {
  let key: UInt32
  var pointers: [String]

  /// Whether several parts of one item have the identifier.
  var isOfParts = false
}

extension Snapshot {
  /// Returns every duplicate identifier, sections first. `sections` or `items` is the pointer to
  /// the value that the snapshot was read from.
  ///
  /// `conflicting` are the indices of sections and items that the list that they are inserted into has
  /// already.
  func duplicates(
    sections: String?, items: String?, conflicting: (sections: [Int], items: [Int]) = ([], [])
  ) -> [Duplicate] {
    var found: [Duplicate] = []
    var pointers: [UInt32: [String]] = [:]
    var known = Set(conflicting.sections.map { arrangement.sections[$0] })
    for (index, key) in arrangement.sections.enumerated() {
      pointers[key, default: []].append("\(sections ?? "")/\(index)")
    }
    for key in arrangement.sections {
      guard let locations = pointers.removeValue(forKey: key) else { continue }
      if locations.count > 1 || known.contains(key) {
        found.append(Duplicate(key: key, pointers: locations))
      }
    }
    known = Set(conflicting.items.map { arrangement.rows[$0] })
    var counts: [UInt32: Int] = [:]
    var promised = Set<UInt32>()
    for (item, key) in arrangement.rows.enumerated() {
      counts[key, default: 0] += 1
      if traits[item].contains(.hasExplicitID) { promised.insert(key) }
    }
    // The items of an edit are in no section.
    let ranges =
      self.sections.isEmpty
      ? [arrangement.rows.indices] : self.sections.indices.map(arrangement.range(ofSection:))
    for (section, range) in ranges.enumerated() {
      let base = sections.map { "\($0)/\(section)/items" } ?? items ?? ""
      for item in range {
        let key = arrangement.rows[item]
        guard counts[key]! > 1 && promised.contains(key) || known.contains(key) else { continue }
        pointers[key, default: []].append("\(base)/\(item - range.lowerBound)")
      }
    }
    for key in arrangement.rows {
      guard let locations = pointers.removeValue(forKey: key) else { continue }
      found.append(Duplicate(key: key, pointers: locations))
    }
    return found
  }

  /// Returns every duplicate identifier of a snapshot that is copied by name; each has the pointer
  /// to that reference.
  func duplicates(copiedBy pointer: String) -> [Duplicate] {
    duplicates(sections: nil, items: nil).map { Duplicate(key: $0.key, pointers: [pointer]) }
  }
}

extension Failure {
  /// The failure that identifiers are duplicate, with the pointers to all occurrences.
  static func duplicates(
    _ found: [Duplicate], _ ids: borrowing IDTable, _ message: String? = nil
  ) -> Failure {
    var first = ByteBuffer()
    if let duplicate = found.first { first.append(id: duplicate.key, ids) }
    let name = first.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    var list = ByteBuffer()
    list.append(array: found.count) { index, buffer in
      buffer.append("{")
      buffer.append(member: "id")
      buffer.append(id: found[index].key, ids)
      let pointers = found[index].pointers
      buffer.append(list: "pointers", pointers.count) { $1.append(string: pointers[$0]) }
      buffer.append("}")
    }
    return Failure(
      .duplicateIdentifier, message ?? "duplicate identifier \(name)",
      data: ["duplicates": .json { $0.append(contentsOf: list) }])
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
