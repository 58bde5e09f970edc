/// A change that lists are measured with. Each one is typical, or difficult in its own way.
package enum Workload: String, CaseIterable, Sendable {
  /// A tenth of the rows is deleted, a tenth inserted, one in fifty shuffled.
  case a
  /// One row is inserted at the front.
  case b
  /// The last row moves to the front.
  case c
  /// The first row moves to the end.
  case c2
  /// All rows are shuffled.
  case d
  /// All rows are reversed.
  case e
  /// The content of half of the rows changes.
  case f
  /// All rows are replaced.
  case g
  /// Of a thousand rows, 2.5 each are deleted, inserted, moved and changed.
  case k
  /// Like `a`, but with only a tenth as many different ids.
  case i
  /// A hundred sections. Some are moved, deleted and inserted; so are rows, also between sections.
  case h

  package var summary: String {
    switch self {
    case .a: "1/10 deleted, 1/10 new, 1/50 shuffled"
    case .b: "one to the front"
    case .c: "last to the front"
    case .c2: "first to the end"
    case .d: "full shuffle"
    case .e: "reversal"
    case .f: "half of the contents"
    case .g: "all replaced"
    case .k: "0.25 % of each kind of change"
    case .i: "like a, ids repeat ten times"
    case .h: "100 sections"
    }
  }

  /// Returns the two lists of `count` rows. They are the same for each call.
  package func lists(count: Int) -> (old: WorkloadList, new: WorkloadList) {
    var random = SplitMix(seed: 20_261_120)
    if self == .h { return sectionedLists(count: count, using: &random) }
    var old = (0..<count).map { WorkloadRow(id: $0) }
    if self == .i {
      for row in old.indices {
        old[row].id = Int.random(in: 0..<max(1, count / 10), using: &random)
      }
    }
    return (WorkloadList(flat: old), WorkloadList(flat: changed(old, using: &random)))
  }

  private func changed(
    _ old: [WorkloadRow], using random: inout SplitMix
  ) -> [WorkloadRow] {
    var new = old
    let count = old.count
    switch self {
    case .a, .i:
      let ids = self == .i ? 0..<max(1, count / 10) : count..<count
      new.removeScattered(count / 10, using: &random)
      new.shuffleScattered(count / 50, using: &random)
      new.insertScattered(count / 10, ids: ids, firstNew: count, using: &random)
    case .b: new.insert(WorkloadRow(id: count), at: 0)
    case .c: if let last = new.popLast() { new.insert(last, at: 0) }
    case .c2: if !new.isEmpty { new.append(new.removeFirst()) }
    case .d: new.shuffle(using: &random)
    case .e: new.reverse()
    case .f: for row in stride(from: 0, to: count, by: 2) { new[row].content += 1 }
    case .g: new = (count..<2 * count).map { WorkloadRow(id: $0) }
    case .k:
      let some = count / 400
      new.removeScattered(some, using: &random)
      new.changeScattered(some, using: &random)
      new.moveScattered(some, using: &random)
      new.insertScattered(some, ids: count..<count, firstNew: count, using: &random)
    case .h: break
    }
    return new
  }

  private func sectionedLists(
    count: Int, using random: inout SplitMix
  ) -> (old: WorkloadList, new: WorkloadList) {
    let size = count / 100
    let old = (0..<100).map { section in
      WorkloadSection(
        id: section, rows: (section * size..<(section + 1) * size).map { WorkloadRow(id: $0) })
    }
    var new = old
    var next = count
    for _ in 0..<2 { new.remove(at: Int.random(in: 0..<new.count, using: &random)) }
    for _ in 0..<5 {
      let section = new.remove(at: Int.random(in: 0..<new.count, using: &random))
      new.insert(section, at: Int.random(in: 0...new.count, using: &random))
    }
    var crossing: [WorkloadRow] = []
    for section in new.indices {
      // Distributes the rows over the sections even if their share is less than one row.
      func share(_ part: Int) -> Int {
        (section + 1) * (count / part) / new.count - section * (count / part) / new.count
      }
      crossing += new[section].rows.removeScattered(share(100), using: &random)
      new[section].rows.removeScattered(share(200), using: &random)
      new[section].rows.changeScattered(share(200), using: &random)
      new[section].rows.moveScattered(share(200), using: &random)
      new[section].rows.insertScattered(
        share(200), ids: next..<next, firstNew: next, using: &random)
      next += share(200)
    }
    for row in crossing {
      let section = Int.random(in: 0..<new.count, using: &random)
      let index = Int.random(in: 0...new[section].rows.count, using: &random)
      new[section].rows.insert(row, at: index)
    }
    for id in 100..<102 {
      let rows = (next..<next + size).map { WorkloadRow(id: $0) }
      next += size
      let index = Int.random(in: 0...new.count, using: &random)
      new.insert(WorkloadSection(id: id, rows: rows), at: index)
    }
    return (WorkloadList(sections: old), WorkloadList(sections: new))
  }
}

/// A small generator of repeatable random numbers (Steele, Lea and Flood, "Fast splittable
/// pseudorandom number generators", 2014).
package struct SplitMix: RandomNumberGenerator {
  private var state: UInt64
  package init(seed: UInt64) { state = seed }
  /// Returns the next number.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

extension [WorkloadRow] {
  private func randomIndices(_ count: Int, using random: inout SplitMix) -> [Int] {
    var indices = Set<Int>()
    while indices.count < Swift.min(count, self.count) {
      indices.insert(Int.random(in: 0..<self.count, using: &random))
    }
    return indices.sorted()
  }

  @discardableResult
  fileprivate mutating func removeScattered(
    _ count: Int, using random: inout SplitMix
  ) -> [WorkloadRow] {
    let indices = randomIndices(count, using: &random)
    let removed = indices.map { self[$0] }
    var next = indices[...]
    var kept: [WorkloadRow] = []
    kept.reserveCapacity(self.count)
    for (index, row) in enumerated() {
      if next.first == index { next.removeFirst() } else { kept.append(row) }
    }
    self = kept
    return removed
  }

  fileprivate mutating func insertScattered(
    _ rows: [WorkloadRow], using random: inout SplitMix
  ) {
    var gaps = rows.map { _ in Int.random(in: 0...self.count, using: &random) }
    gaps.sort()
    var result: [WorkloadRow] = []
    result.reserveCapacity(count + rows.count)
    var next = 0
    for index in 0...count {
      while next < gaps.count, gaps[next] == index {
        result.append(rows[next])
        next += 1
      }
      if index < count { result.append(self[index]) }
    }
    self = result
  }

  /// Inserts rows with ids from `ids`, or with new ids if `ids` is empty.
  fileprivate mutating func insertScattered(
    _ count: Int, ids: Range<Int>, firstNew: Int, using random: inout SplitMix
  ) {
    let rows = (0..<count).map { index in
      WorkloadRow(id: ids.isEmpty ? firstNew + index : Int.random(in: ids, using: &random))
    }
    insertScattered(rows, using: &random)
  }

  fileprivate mutating func shuffleScattered(_ count: Int, using random: inout SplitMix) {
    let indices = randomIndices(count, using: &random)
    for (index, source) in zip(indices, indices.shuffled(using: &random).map { self[$0] }) {
      self[index] = source
    }
  }

  fileprivate mutating func changeScattered(_ count: Int, using random: inout SplitMix) {
    for index in randomIndices(count, using: &random) { self[index].content += 1 }
  }

  fileprivate mutating func moveScattered(_ count: Int, using random: inout SplitMix) {
    insertScattered(removeScattered(count, using: &random).shuffled(using: &random), using: &random)
  }
}
