/// The losses of a term of one character in 16 rows of one member.
struct ShortTerm1 {
  private let code: Vector

  init(_ codes: UnsafeBufferPointer<Vector>) { code = codes[0] }

  func losses(_ columns: Columns) -> Vector {
    var best = Vector(repeating: 255)
    for pair in 0..<columns.pairs {
      let details = columns.details(ofPair: pair)
      let bytes = columns.bytes(ofPair: pair)
      let (first, second) = (otherBits(bytes.first .== code), otherBits(bytes.second .== code))
      best = smaller(best, details & Vector(repeating: 7) | first)
      best = smaller(best, (details &>> Vector(repeating: 4)) & Vector(repeating: 7) | second)
    }
    let none = bits(best .== Vector(repeating: 255))
    let loss = best &+ (bits(best .== Vector(repeating: 4)) & Vector(repeating: 6))
    return (loss &+ loss) | none
  }
}

/// The same for two characters.
struct ShortTerm2 {
  private let code0, code1: Vector
  private var reached0 = Reached()
  private var best = Vector(repeating: 255)

  init(_ codes: UnsafeBufferPointer<Vector>) { (code0, code1) = (codes[0], codes[1]) }

  consuming func losses(_ columns: Columns) -> Vector {
    for pair in 0..<columns.pairs {
      let details = columns.details(ofPair: pair)
      let (first, second) = columns.bytes(ofPair: pair)
      pass(first, details)
      pass(second, details &>> Vector(repeating: 4))
    }
    return best
  }

  @_transparent
  private mutating func pass(_ bytes: Vector, _ details: Vector) {
    let losses = ColumnLosses(details: details)
    best = smaller(best, reached0.last(losses, other: otherBits(bytes .== code1)))
    reached0.begin(losses, other: otherBits(bytes .== code0))
  }
}

/// The same for three characters.
struct ShortTerm3 {
  private let code0, code1, code2: Vector
  private var reached0 = Reached()
  private var reached1 = Reached()
  private var best = Vector(repeating: 255)

  init(_ codes: UnsafeBufferPointer<Vector>) {
    (code0, code1, code2) = (codes[0], codes[1], codes[2])
  }

  consuming func losses(_ columns: Columns) -> Vector {
    for pair in 0..<columns.pairs {
      let details = columns.details(ofPair: pair)
      let (first, second) = columns.bytes(ofPair: pair)
      pass(first, details)
      pass(second, details &>> Vector(repeating: 4))
    }
    return best
  }

  @_transparent
  private mutating func pass(_ bytes: Vector, _ details: Vector) {
    let losses = ColumnLosses(details: details)
    best = smaller(best, reached1.last(losses, other: otherBits(bytes .== code2)))
    reached1.advance(losses, other: otherBits(bytes .== code1), after: reached0)
    reached0.begin(losses, other: otherBits(bytes .== code0))
  }
}

/// The same for four characters.
struct ShortTerm4 {
  private let code0, code1, code2, code3: Vector
  private var reached0 = Reached()
  private var reached1 = Reached()
  private var reached2 = Reached()
  private var best = Vector(repeating: 255)

  init(_ codes: UnsafeBufferPointer<Vector>) {
    (code0, code1, code2, code3) = (codes[0], codes[1], codes[2], codes[3])
  }

  consuming func losses(_ columns: Columns) -> Vector {
    for pair in 0..<columns.pairs {
      let details = columns.details(ofPair: pair)
      let (first, second) = columns.bytes(ofPair: pair)
      pass(first, details)
      pass(second, details &>> Vector(repeating: 4))
    }
    return best
  }

  @_transparent
  private mutating func pass(_ bytes: Vector, _ details: Vector) {
    let losses = ColumnLosses(details: details)
    best = smaller(best, reached2.last(losses, other: otherBits(bytes .== code3)))
    reached2.advance(losses, other: otherBits(bytes .== code2), after: reached1)
    reached1.advance(losses, other: otherBits(bytes .== code1), after: reached0)
    reached0.begin(losses, other: otherBits(bytes .== code0))
  }
}
