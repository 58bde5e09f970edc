/// The pairs of old and new sections and rows; `-1` stands for no partner.
package struct Matching: Sendable {
  package var sectionsToNew: [Int32] = []
  package var sectionsToOld: [Int32] = []
  package var rowsToNew: [Int32] = []
  package var rowsToOld: [Int32] = []

  /// The pairs of rows as maximal runs of consecutive rows, in the order of the new rows.
  ///
  /// A run may extend across sections.
  package var runs: [MatchedRun] = []

  package init() {}

  /// Whether both lists consist of the same single section.
  var hasSingleSection: Bool {
    sectionsToOld.count == 1 && sectionsToNew.count == 1 && sectionsToOld[0] == 0
  }

  /// Pairs two rows. Call ``gatherRuns(head:tail:)`` afterwards.
  package mutating func pair(_ old: Int, _ new: Int) {
    rowsToNew[old] = Int32(truncatingIfNeeded: new)
    rowsToOld[new] = Int32(truncatingIfNeeded: old)
  }

  /// Pairs consecutive old rows with consecutive new rows. Call ``gatherRuns(head:tail:)`` afterwards.
  package mutating func pairInARow(old: Int, new: Int, count: Int) {
    rowsToNew.countUp(from: Int32(truncatingIfNeeded: new), at: old, count: count)
    rowsToOld.countUp(from: Int32(truncatingIfNeeded: old), at: new, count: count)
  }

  /// Computes ``runs`` from ``rowsToOld``. The first `head` and the last `tail` rows are known to form one run
  /// each.
  ///
  /// - Complexity: O(*n*), where *n* is the number of new rows.
  package mutating func gatherRuns(head: Int = 0, tail: Int = 0) {
    let rowsToOld = rowsToOld
    let oldCount = rowsToNew.count
    let newCount = rowsToOld.count
    runs.removeAll(keepingCapacity: true)
    if oldCount == 0 || newCount == 0 { return }
    // One run more, which receives the writes for rows without a partner.
    runs.append(atMost: min(oldCount, newCount) + 1) { runs in
      var count = 0
      if head > 0 {
        runs[0] = MatchedRun(old: 0, new: 0, count: head)
        count = 1
      }
      count = Self.gather(rowsToOld.view, from: head, to: newCount - tail, into: &runs, at: count)
      if tail > 0 {
        runs[count] = MatchedRun(old: oldCount - tail, new: newCount - tail, count: tail)
        count += 1
      }
      return count
    }
  }

  /// Writes the runs of a range of rows from an index on, and returns the index after them.
  private static func gather(
    _ toOld: ArrayView<Int32>, from start: Int, to end: Int,
    into runs: inout MutableArrayView<MatchedRun>,
    at index: Int
  ) -> Int {
    var next = index
    toOld.forEachRun(from: start, to: end) { start, end in
      let old = toOld[start]
      // Whether it is a run is unpredictable: writing over it is faster than a branch.
      runs[next] = MatchedRun(old: Int(old), new: start, count: end &- start)
      next &+= 1 &- Int(UInt32(bitPattern: old) &>> 31)
    }
    return next
  }
}

/// Rows that are consecutive in both lists.
@usableFromInline package struct MatchedRun: Equatable, BitwiseCopyable, Sendable {
  /// The first of the rows, as an old index.
  @usableFromInline package var old: Int32
  /// The first of the rows, as a new index.
  @usableFromInline package var new: Int32
  @usableFromInline package var count: Int32

  @_transparent package init(old: Int = 0, new: Int = 0, count: Int = 0) {
    self.old = Int32(truncatingIfNeeded: old)
    self.new = Int32(truncatingIfNeeded: new)
    self.count = Int32(truncatingIfNeeded: count)
  }
}

extension Array {
  /// Sets the array to `count` copies of `value`, reusing its memory.
  ///
  /// For few elements `Array(repeating:count:)`, which is not specialized, spends most of its time in
  /// finding the metadata of the type.
  @_alwaysEmitIntoClient package mutating func fill(_ count: Int, with value: Element) {
    if self.count == count {
      for index in indices { self[index] = value }
      return
    }
    if !isEmpty { removeAll(keepingCapacity: true) }
    append(addingCapacity: count) { $0.append(repeating: value, count: count) }
  }
}

extension [Int32] {
  /// Writes consecutive numbers.
  package mutating func countUp(from first: Int32, at start: Int, count: Int) {
    precondition(start >= 0 && count >= 0 && start + count <= self.count)
    var number = first
    for index in start..<start + count {
      self[index] = number
      number &+= 1
    }
  }
}

extension [Int32] {
  /// Makes sure that an array by key has elements for all keys. It is neither cleared nor allocated again for the
  /// next change, so that those which the current change has not stored may have any value.
  package mutating func reserve(universe: Int) {
    guard count < universe else { return }
    // Each change adds a few keys; growing the array by appending would double its memory.
    let capacity = universe + universe / 16
    reserveCapacity(capacity)
    append(contentsOf: repeatElement(0, count: capacity - count))
  }

  /// Returns the rows of a section. The elements are the indices of the sections' first rows, followed by the
  /// number of rows.
  package func rows(ofSection section: Int) -> Range<Int> {
    Int(self[section])..<Int(self[section + 1])
  }

  /// Returns the section of a flat row. The elements are the indices of the sections' first rows,
  /// followed by the number of rows.
  ///
  /// - Complexity: O(log *s*), where *s* is the number of sections.
  package func section(ofRow row: Int) -> Int {
    var low = 0
    var high = count - 1
    // Empty sections share their start with the next one; the row is in the last of them.
    while high - low > 1 {
      let middle = (low + high) / 2
      if Int(self[middle]) <= row { low = middle } else { high = middle }
    }
    return low
  }
}

extension Collection where Element: BinaryInteger {
  /// The sum of the elements before each element, followed by the sum of all. For the numbers of rows of
  /// sections, these are the starts of the sections.
  @_alwaysEmitIntoClient package var sums: [Int32] {
    var result: [Int32] = []
    result.reserveCapacity(count + 1)
    var sum: Int32 = 0
    result.append(sum)
    for element in self {
      sum += Int32(truncatingIfNeeded: element)
      result.append(sum)
    }
    return result
  }
}

extension ArrayView<UInt32> {
  /// Returns whether `count` elements from `start` on equal those of `other` from `otherStart` on.
  @_alwaysEmitIntoClient @inline(__always)
  package func isSame(_ start: Int, as other: ArrayView<UInt32>, _ otherStart: Int, count: Int)
    -> Bool
  {
    let a = extracting(start..<start + count)
    let b = other.extracting(otherStart..<otherStart + count)
    var difference: UInt32 = 0
    for offset in 0..<count { difference |= a[offset] ^ b[offset] }
    return difference == 0
  }

  /// Returns the number of equal elements at the start.
  @_alwaysEmitIntoClient package func commonPrefix(with other: ArrayView<UInt32>) -> Int {
    let limit = Swift.min(count, other.count)
    var index = 0
    // Strides of elements are compared without a branch for each.
    while index + 32 <= limit {
      if !isSame(index, as: other, index, count: 32) { break }
      index += 32
    }
    while index < limit, self[index] == other[index] { index += 1 }
    return index
  }
}
