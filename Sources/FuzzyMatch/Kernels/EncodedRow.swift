extension EncodedRow {
  /// For each ASCII character its folded form, above that its class, and a highest bit that is set if
  /// folding changes it.
  private static let codes: [UInt16] = (0..<UInt32(128)).map { point in
    let table = CharacterTable.shared
    let fold = UInt16(table.fold(point))
    let isChanged: UInt16 = fold != point ? 1 << 15 : 0
    return fold | table.characterClass(point).rawValue << 8 | isChanged
  }

  /// Encodes a row, and adds its characters to an alphabet.
  ///
  /// ASCII stands for itself in every alphabet.
  mutating func encode(_ points: [UInt32], _ alphabet: inout Alphabet) {
    var row = (bytes: [UInt8](), details: [UInt8]())
    swap(&row.bytes, &bytes)
    swap(&row.details, &details)
    defer {
      swap(&row.bytes, &bytes)
      swap(&row.details, &details)
    }
    row.bytes.resize(to: points.count)
    row.details.resize(to: points.count)
    separators.removeAll(keepingCapacity: true)
    var flags: UInt32 = 0
    let bonuses = BonusCode.table
    let table = CharacterTable.shared
    // In bounds: both columns have an element for each point, a point below 128 has a code, and classes
    // have three bits, of which two make an index of the bonuses.
    points.withUnsafeBufferPointer { points in
      Self.codes.withUnsafeBufferPointer { codes in
        row.bytes.withUnsafeMutableBufferPointer { bytes in
          row.details.withUnsafeMutableBufferPointer { details in
            var previous = CharacterClass.white.rawValue
            for index in 0..<points.count {
              let point = points[index]
              let current: UInt16
              let isChanged: Bool
              if point < 0x80 {
                let code = codes[Int(point)]
                current = code >> 8 & 7
                bytes[index] = UInt8(truncatingIfNeeded: code)
                isChanged = code >> 15 != 0
              } else if point == RowText.separator {
                separators.append(UInt16(truncatingIfNeeded: index))
                bytes[index] = Alphabet.separator
                details[index] = BonusCode.none
                previous = CharacterClass.white.rawValue
                continue
              } else {
                let code = alphabet.encode(point, foldedTo: table.fold(point))
                current = table.characterClass(point).rawValue
                bytes[index] = code.byte
                isChanged = code.isChanged
                flags |= code.flags
              }
              let bonus = bonuses[Int(previous << 3 | current)]
              details[index] = isChanged ? bonus | Slab.changed : bonus
              previous = current
            }
          }
        }
      }
    }
    self.flags = flags
  }
}

extension [UInt8] {
  /// Removes elements at the end, or appends zeros.
  fileprivate mutating func resize(to count: Int) {
    if count < self.count {
      removeLast(self.count - count)
    } else {
      append(contentsOf: repeatElement(0, count: count - self.count))
    }
  }
}
