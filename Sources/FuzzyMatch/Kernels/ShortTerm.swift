/// The losses of a term of one character in 16 rows.
struct ShortTerm1 {
  private let code: Vector

  init(_ codes: UnsafeBufferPointer<Vector>) { code = codes[0] }

  /// Rows that are not `among` some may have no losses.
  func losses(_ columns: Columns, among: UInt16, tracksColumns: Bool) -> LeastLosses {
    let included = bits(ofRows: among)
    var best = LeastLosses()
    for pair in 0..<columns.pairs {
      let details = columns.details(ofPair: pair)
      let bytes = columns.bytes(ofPair: pair)
      let first = details & Vector(repeating: 7) | otherBits(bytes.first .== code)
      let second =
        (details &>> Vector(repeating: 4)) & Vector(repeating: 7) | otherBits(bytes.second .== code)
      let least = smaller(best.losses, smaller(first, second))
      if !tracksColumns {
        best.losses = least
      } else if isAny((least ^ best.losses) & included) {
        _ = best.insert(first, 2 &* pair, tracksColumns: true)
        _ = best.insert(second, 2 &* pair &+ 1, tracksColumns: true)
        if !isAny(best.losses & included) { break }
      }
    }
    let none = bits(best.losses .== Vector(repeating: 255))
    let loss = best.losses &+ (bits(best.losses .== Vector(repeating: 4)) & Vector(repeating: 6))
    best.losses = (loss &+ loss) | none
    return best
  }
}

/// The losses of a term of two characters in 16 rows of one member.
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
