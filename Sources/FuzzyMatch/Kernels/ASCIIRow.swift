extension EncodedRow {
  /// For each ASCII character its folded form, above that its class, and a highest bit that is set if
  /// folding changes it.
  private static let codes: [UInt16] = (0..<UInt32(128)).map { point in
    let table = CharacterTable.shared
    let fold = UInt16(table.fold(point))
    let isChanged: UInt16 = fold != point ? 1 << 15 : 0
    return fold | table.characterClass(point).rawValue << 8 | isChanged
  }

  /// Encodes a row of one member in ASCII. If there is any other character, returns false and leaves the
  /// value undefined.
  ///
  /// ASCII stands for itself in every alphabet.
  mutating func encode(ascii points: [UInt32]) -> Bool {
    var row = (bytes: [UInt8](), details: [UInt8]())
    swap(&row.bytes, &bytes)
    swap(&row.details, &details)
    defer {
      swap(&row.bytes, &bytes)
      swap(&row.details, &details)
    }
    flags = 0
    row.bytes.removeAll(keepingCapacity: true)
    row.details.removeAll(keepingCapacity: true)
    row.bytes.append(contentsOf: repeatElement(0, count: points.count))
    row.details.append(contentsOf: repeatElement(0, count: points.count))
    let bonuses = BonusCode.table
    // In bounds: both columns have an element for each point, a point below 128 has a code, and classes
    // have three bits, of which two make an index of the bonuses.
    return points.withUnsafeBufferPointer { points in
      Self.codes.withUnsafeBufferPointer { codes in
        row.bytes.withUnsafeMutableBufferPointer { bytes in
          row.details.withUnsafeMutableBufferPointer { details in
            var previous = CharacterClass.white.rawValue
            for index in 0..<points.count {
              let point = points[index]
              guard point < 0x80 else { return false }
              let code = codes[Int(point)]
              let current = code >> 8 & 7
              let bonus = bonuses[Int(previous << 3 | current)]
              bytes[index] = UInt8(truncatingIfNeeded: code)
              details[index] = code >> 15 == 0 ? bonus : bonus | Slab.changed
              previous = current
            }
            return true
          }
        }
      }
    }
  }
}
