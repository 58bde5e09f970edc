/// A number and the weight of choosing it.
struct WeightedNumber {
  var number: Int32
  var weight: KeepingWeight
}

/// The weight of keeping something in place: first the number of rows or sections, then two lesser
/// criteria.
///
/// Sums of up to 2³¹ weights do not overflow.
struct KeepingWeight {
  /// The number of rows or sections that are kept in place.
  var count: UInt64 = 0
  /// The first lesser criterion in the upper half, the second in the lower half.
  private var lesser: UInt64 = 0

  init(count: Int = 0, first: Bool = false, second: Bool = false) {
    self.count = UInt64(truncatingIfNeeded: count)
    lesser = (first ? 1 << 32 : 0) | (second ? 1 : 0)
  }

  static func + (a: KeepingWeight, b: KeepingWeight) -> KeepingWeight {
    var sum = a
    sum.count &+= b.count
    sum.lesser &+= b.lesser
    return sum
  }

  static func < (a: KeepingWeight, b: KeepingWeight) -> Bool {
    a.count == b.count ? a.lesser < b.lesser : a.count < b.count
  }

  /// Sets the first lesser criterion in the weight of a single element.
  mutating func addFirst() { lesser |= 1 << 32 }
}
