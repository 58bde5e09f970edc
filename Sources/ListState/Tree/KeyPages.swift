/// A number for each of some keys, -1 for all others.
///
/// Keys are given to items in order, whatever list they are added to, so that the keys of a list are
/// runs between those of other lists. Pages without keys of the list take no memory.
struct KeyPages: Sendable {
  /// The number of keys of a page.
  private static let width = 64

  /// For each page the index of its first entry, or -1 if none of its keys has had a number.
  private var starts: [Int32] = []

  /// The numbers plus one of the keys of all pages that have any, or 0: in two bytes each while they
  /// fit, then in four.
  private var narrow: [UInt16] = []
  private var wide: [Int32] = []

  /// The number of keys that can have numbers: all that are less.
  var limit: Int { starts.count * Self.width }

  /// Raises the limit to include the keys that are less than `limit`.
  mutating func raise(to limit: Int) {
    let count = (limit + Self.width - 1) / Self.width - starts.count
    guard count > 0 else { return }
    starts.reserveSparingly(count)
    starts.append(contentsOf: repeatElement(-1, count: count))
  }

  /// Reserves memory for the numbers of about `count` keys, if they fit in two bytes.
  mutating func reserve(_ count: Int) { narrow.reserveCapacity(count + 2 * Self.width) }

  /// The number of a key that is less than the limit.
  subscript(key: UInt32) -> Int32 {
    get {
      let start = starts[Int(key) / Self.width]
      if start < 0 { return -1 }
      let entry = Int(start) + Int(key) % Self.width
      return (wide.isEmpty ? Int32(narrow[entry]) : wide[entry]) - 1
    }
    set {
      var start = starts[Int(key) / Self.width]
      if start < 0 {
        if newValue < 0 { return }
        start = addPage(of: key)
      }
      let entry = Int(start) + Int(key) % Self.width
      if wide.isEmpty, newValue >= Int32(UInt16.max) { widen() }
      if wide.isEmpty { narrow[entry] = UInt16(newValue + 1) } else { wide[entry] = newValue + 1 }
    }
  }

  /// Sets the number of keys that are less than the limit.
  mutating func set(_ number: Int32, forAll keys: ArraySlice<UInt32>) {
    if wide.isEmpty, number >= Int32(UInt16.max) { widen() }
    var page = -1
    for key in keys where Int(key) / Self.width != page {
      page = Int(key) / Self.width
      if starts[page] < 0 { _ = addPage(of: key) }
    }
    let starts = starts
    if wide.isEmpty {
      Self.set(UInt16(number + 1), forAll: keys, starts.span, in: narrow.mutableSpan)
    } else {
      Self.set(number + 1, forAll: keys, starts.span, in: wide.mutableSpan)
    }
  }

  private static func set<Number: BitwiseCopyable>(
    _ number: Number, forAll keys: ArraySlice<UInt32>, _ starts: Span<Int32>,
    in numbers: consuming MutableSpan<Number>
  ) {
    let keys = keys.span
    for index in 0..<keys.count {
      let key = Int(keys[index])
      numbers[Int(starts[key / Self.width]) + key % Self.width] = number
    }
  }

  private mutating func addPage(of key: UInt32) -> Int32 {
    let start = Int32(truncatingIfNeeded: wide.isEmpty ? narrow.count : wide.count)
    if wide.isEmpty {
      narrow.reserveSparingly(Self.width)
      narrow.append(contentsOf: repeatElement(0, count: Self.width))
    } else {
      wide.reserveSparingly(Self.width)
      wide.append(contentsOf: repeatElement(0, count: Self.width))
    }
    starts[Int(key) / Self.width] = start
    return start
  }

  /// Makes room for numbers that do not fit in two bytes.
  private mutating func widen() {
    wide.reserveSparingly(narrow.count)
    for entry in narrow { wide.append(Int32(entry)) }
    narrow = []
  }

  /// All numbers, in no particular order.
  var numbers: [Int32] {
    (wide.isEmpty ? narrow.map { Int32($0) } : wide).filter { $0 > 0 }.map { $0 - 1 }
  }
}
