/// Finds the rows that contain a character.
struct ShortSearch1 {
  private let code: Vector

  init(_ codes: UnsafeBufferPointer<Vector>) { code = codes[0] }

  /// Returns all bits of the rows that have the character. Rows of which all bits are `excluded` may be
  /// missing.
  func find(_ columns: Columns, excluded: Vector) -> Vector {
    var found = Vector.zero
    for pair in 0..<columns.pairs {
      let (first, second) = columns.bytes(ofPair: pair)
      found |= bits(first .== code) | bits(second .== code)
      if pair & 3 == 3, !isAnyBelowTop(found | excluded) { break }
    }
    return found
  }
}

/// Finds the rows that contain a term of at most four characters.
struct ShortSearch4 {
  /// For a term of fewer characters all bits, as if every row had the missing ones before it.
  private let before0, before1, before2: Vector
  private let code0, code1, code2, code3: Vector

  init(_ codes: UnsafeBufferPointer<Vector>) {
    let missing = 4 - codes.count
    before0 = Vector(repeating: missing > 0 ? 255 : 0)
    before1 = Vector(repeating: missing > 1 ? 255 : 0)
    before2 = Vector(repeating: missing > 2 ? 255 : 0)
    code0 = codes[max(0, 0 - missing)]
    code1 = codes[max(0, 1 - missing)]
    code2 = codes[max(0, 2 - missing)]
    code3 = codes[3 - missing]
  }

  /// Returns all bits of the rows that have the characters in order, in one member. Rows of which all bits
  /// are `excluded` may be missing.
  func findInOrder(_ columns: Columns, excluded: Vector, hasMembers: Bool) -> Vector {
    hasMembers
      ? find(columns, excluded, hasMembers: true) : find(columns, excluded, hasMembers: false)
  }

  @inline(__always)
  private func find(_ columns: Columns, _ excluded: Vector, hasMembers: Bool) -> Vector {
    var (r0, r1, r2, r3) = (before0, before1, before2, Vector.zero)
    for pair in 0..<columns.pairs {
      let both = columns.bytes(ofPair: pair)
      for column in 0..<2 {
        let bytes = column == 0 ? both.first : both.second
        r3 |= r2 & bits(bytes .== code3)
        r2 |= r1 & bits(bytes .== code2)
        r1 |= r0 & bits(bytes .== code1)
        r0 |= bits(bytes .== code0)
        guard hasMembers else { continue }
        let inside = otherBits(bytes .== Vector(repeating: Alphabet.separator))
        r2 = r2 & inside | before2
        r1 = r1 & inside | before1
        r0 = r0 & inside | before0
      }
      if pair & 3 == 3, !isAnyBelowTop(r3 | excluded) { break }
    }
    return r3
  }

  /// Returns all bits of the rows that have the characters adjacent to each other.
  func findSideBySide(_ columns: Columns) -> Vector {
    var (r0, r1, r2) = (before0, before1, before2)
    var found = Vector.zero
    for pair in 0..<columns.pairs {
      let both = columns.bytes(ofPair: pair)
      for column in 0..<2 {
        let bytes = column == 0 ? both.first : both.second
        found |= r2 & bits(bytes .== code3)
        r2 = r1 & bits(bytes .== code2) | before2
        r1 = r0 & bits(bytes .== code1) | before1
        r0 = bits(bytes .== code0) | before0
      }
    }
    return found
  }
}

/// The same for five to eight characters.
struct ShortSearch8 {
  private let before0, before1, before2: Vector
  private let code0, code1, code2, code3, code4, code5, code6, code7: Vector

  init(_ codes: UnsafeBufferPointer<Vector>) {
    let missing = 8 - codes.count
    before0 = Vector(repeating: missing > 0 ? 255 : 0)
    before1 = Vector(repeating: missing > 1 ? 255 : 0)
    before2 = Vector(repeating: missing > 2 ? 255 : 0)
    code0 = codes[max(0, 0 - missing)]
    code1 = codes[max(0, 1 - missing)]
    code2 = codes[max(0, 2 - missing)]
    code3 = codes[3 - missing]
    code4 = codes[4 - missing]
    code5 = codes[5 - missing]
    code6 = codes[6 - missing]
    code7 = codes[7 - missing]
  }

  func findInOrder(_ columns: Columns, excluded: Vector, hasMembers: Bool) -> Vector {
    hasMembers
      ? find(columns, excluded, hasMembers: true) : find(columns, excluded, hasMembers: false)
  }

  @inline(__always)
  private func find(_ columns: Columns, _ excluded: Vector, hasMembers: Bool) -> Vector {
    let zero = Vector.zero
    var (r0, r1, r2, r3) = (before0, before1, before2, zero)
    var (r4, r5, r6, r7) = (zero, zero, zero, zero)
    for pair in 0..<columns.pairs {
      let both = columns.bytes(ofPair: pair)
      for column in 0..<2 {
        let bytes = column == 0 ? both.first : both.second
        r7 |= r6 & bits(bytes .== code7)
        r6 |= r5 & bits(bytes .== code6)
        r5 |= r4 & bits(bytes .== code5)
        r4 |= r3 & bits(bytes .== code4)
        r3 |= r2 & bits(bytes .== code3)
        r2 |= r1 & bits(bytes .== code2)
        r1 |= r0 & bits(bytes .== code1)
        r0 |= bits(bytes .== code0)
        guard hasMembers else { continue }
        let inside = otherBits(bytes .== Vector(repeating: Alphabet.separator))
        r6 &= inside
        r5 &= inside
        r4 &= inside
        r3 &= inside
        r2 = r2 & inside | before2
        r1 = r1 & inside | before1
        r0 = r0 & inside | before0
      }
      if pair & 3 == 3, !isAnyBelowTop(r7 | excluded) { break }
    }
    return r7
  }

  func findSideBySide(_ columns: Columns) -> Vector {
    let zero = Vector.zero
    var (r0, r1, r2, r3) = (before0, before1, before2, zero)
    var (r4, r5, r6) = (zero, zero, zero)
    var found = zero
    for pair in 0..<columns.pairs {
      let both = columns.bytes(ofPair: pair)
      for column in 0..<2 {
        let bytes = column == 0 ? both.first : both.second
        found |= r6 & bits(bytes .== code7)
        r6 = r5 & bits(bytes .== code6)
        r5 = r4 & bits(bytes .== code5)
        r4 = r3 & bits(bytes .== code4)
        r3 = r2 & bits(bytes .== code3)
        r2 = r1 & bits(bytes .== code2) | before2
        r1 = r0 & bits(bytes .== code1) | before1
        r0 = bits(bytes .== code0) | before0
      }
    }
    return found
  }
}
