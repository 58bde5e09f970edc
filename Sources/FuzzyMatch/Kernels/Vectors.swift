/// A byte for each of 16 rows.
typealias Vector = SIMD16<UInt8>

/// All bits of each row that a mask has.
@_transparent
func bits(_ mask: SIMDMask<SIMD16<Int8>>) -> Vector {
  Vector.zero.replacing(with: Vector(repeating: 255), where: mask)
}

/// All bits of each row that a mask does not have.
@_transparent
func otherBits(_ mask: SIMDMask<SIMD16<Int8>>) -> Vector {
  Vector(repeating: 255).replacing(with: Vector.zero, where: mask)
}

@_transparent
func smaller(_ a: Vector, _ b: Vector) -> Vector { a.replacing(with: b, where: b .< a) }

/// The sum, or 255 if it is more.
@_transparent
func saturatingSum(_ a: Vector, _ b: Vector) -> Vector { smaller(a, ~b) &+ b }

/// Whether any row has a byte other than 255.
@_transparent
func isAnyBelowTop(_ vector: Vector) -> Bool {
  let halves = unsafeBitCast(vector, to: SIMD2<UInt64>.self)
  return halves[0] & halves[1] != UInt64.max
}

/// A bit for each row whose byte is 255, of bytes that are 0 or 255; the first row's is the lowest.
@_transparent
func rows(_ bits: Vector) -> UInt16 {
  let halves = unsafeBitCast(bits, to: SIMD2<UInt64>.self)
  // Of each byte a bit of its own is kept; the product's highest byte is their sum.
  let low = ((halves[0] & 0x8040_2010_0804_0201) &* 0x0101_0101_0101_0101) >> 56
  let high = ((halves[1] & 0x8040_2010_0804_0201) &* 0x0101_0101_0101_0101) >> 56
  return UInt16(truncatingIfNeeded: low | high << 8)
}
