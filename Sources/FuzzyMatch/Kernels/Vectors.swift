/// A byte for each of 16 rows.
typealias Vector = SIMD16<UInt8>

/// Returns all bits of each row of a mask.
@_transparent
func bits(_ mask: SIMDMask<SIMD16<Int8>>) -> Vector {
  Vector.zero.replacing(with: Vector(repeating: 255), where: mask)
}

/// Returns all bits of each row that is not in a mask.
@_transparent
func otherBits(_ mask: SIMDMask<SIMD16<Int8>>) -> Vector {
  Vector(repeating: 255).replacing(with: Vector.zero, where: mask)
}

@_transparent
func smaller(_ a: Vector, _ b: Vector) -> Vector { a.replacing(with: b, where: b .< a) }

/// Returns all bits of each row that has a bit, the first row's the lowest.
@_transparent
func bits(ofRows rows: UInt16) -> Vector {
  // Each half has a byte of the rows eight times, of which each row keeps its own bit.
  let halves = SIMD2(
    UInt64(rows & 0xFF) &* 0x0101_0101_0101_0101, UInt64(rows >> 8) &* 0x0101_0101_0101_0101)
  let own = unsafeBitCast(SIMD2<UInt64>(repeating: 0x8040_2010_0804_0201), to: Vector.self)
  return bits((unsafeBitCast(halves, to: Vector.self) & own) .== own)
}

/// Returns the sum, or 255 if it is more.
@_transparent
func saturatingSum(_ a: Vector, _ b: Vector) -> Vector { smaller(a, ~b) &+ b }

/// Reports whether any row has a byte other than 255.
@_transparent
func isAnyBelowTop(_ vector: Vector) -> Bool {
  let halves = unsafeBitCast(vector, to: SIMD2<UInt64>.self)
  return halves[0] & halves[1] != UInt64.max
}

/// Reports whether any row has a byte other than 0.
@_transparent
func isAny(_ vector: Vector) -> Bool { isAnyBelowTop(~vector) }

/// Returns a bit for each row whose byte is 255, the first row's the lowest. All bytes are 0 or 255.
@_transparent
func rows(_ bits: Vector) -> UInt16 {
  let halves = unsafeBitCast(bits, to: SIMD2<UInt64>.self)
  // The mask keeps a different bit of each byte. The highest byte of the product is their sum.
  let low = ((halves[0] & 0x8040_2010_0804_0201) &* 0x0101_0101_0101_0101) >> 56
  let high = ((halves[1] & 0x8040_2010_0804_0201) &* 0x0101_0101_0101_0101) >> 56
  return UInt16(truncatingIfNeeded: low | high << 8)
}

/// Returns a bit for each row of a mask, the first row's the lowest.
@_transparent
func rows(_ mask: SIMDMask<SIMD16<Int16>>) -> UInt16 {
  rows(Vector(truncatingIfNeeded: SIMD16<Int16>.zero.replacing(with: -1, where: mask)))
}

/// Returns a bit for each row of a mask, the first row's the lowest.
@_transparent
func rows(_ mask: SIMDMask<SIMD16<Int32>>) -> UInt16 {
  rows(Vector(truncatingIfNeeded: SIMD16<Int32>.zero.replacing(with: -1, where: mask)))
}
