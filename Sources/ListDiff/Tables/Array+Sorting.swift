// All sorting is this one, because the standard library's adds several kilobytes to a program.

extension Array {
  /// Sorts the array by numbers, unless it is in their order. The order of elements with equal numbers stays.
  ///
  /// This is a radix sort from the lowest digit (Knuth, "The Art of Computer Programming", volume 3,
  /// 5.2.5). Digits that are equal in all elements are skipped.
  ///
  /// - Complexity: O(*n*), where *n* is the number of elements.
  @_alwaysEmitIntoClient mutating func sort(by number: (Element) -> UInt64) {
    var differing: UInt64 = 0
    var isSorted = true
    var last = first.map(number) ?? 0
    for element in self {
      let next = number(element)
      if next < last { isSorted = false }
      differing |= next ^ last
      last = next
    }
    if isSorted { return }
    if count <= 32 { return insert(by: number) }
    var next = self
    for shift in stride(from: UInt64(0), to: 64, by: 10) where differing >> shift & 1023 != 0 {
      var ends = [Int](repeating: 0, count: 1024)
      for element in self { ends[Int(number(element) >> shift & 1023)] += 1 }
      var start = 0
      for digit in ends.indices { (ends[digit], start) = (start, start + ends[digit]) }
      for element in self {
        let digit = Int(number(element) >> shift & 1023)
        next[ends[digit]] = element
        ends[digit] += 1
      }
      swap(&self, &next)
    }
  }

  /// Sorts a short array by insertion.
  @_alwaysEmitIntoClient mutating func insert(by number: (Element) -> UInt64) {
    for end in indices.dropFirst() {
      let element = self[end]
      var index = end
      while index > 0, number(self[index - 1]) > number(element) {
        self[index] = self[index - 1]
        index -= 1
      }
      self[index] = element
    }
  }
}

extension [UInt64] {
  /// Sorts the array.
  @inline(never)
  mutating func sortWords() { sort { $0 } }
}

extension [Int32] {
  /// Sorts numbers that are not negative.
  mutating func sortNumbers() {
    var words = map { UInt64(truncatingIfNeeded: $0) }
    words.sortWords()
    for (index, word) in words.enumerated() { self[index] = Int32(truncatingIfNeeded: word) }
  }
}
