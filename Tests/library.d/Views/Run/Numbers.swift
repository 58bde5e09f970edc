import ListSources

/// Reproducible random numbers (SplitMix64).
struct Numbers: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
    return word ^ word >> 31
  }

  mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<max(1, bound), using: &self) }

  mutating func chance(_ numerator: Int, in denominator: Int) -> Bool {
    below(denominator) < numerator
  }

  // MARK: Lists

  mutating func row(_ bound: Int = 20) -> Row { Row(id: below(bound), text: "\(below(3))") }

  mutating func sectionID() -> String { ["a", "b", "c", "d", "e"][below(5)] }

  mutating func group(_ id: String? = nil, rows: Int = 0) -> Group {
    var items: [Row] = []
    for _ in 0..<rows { items.append(row()) }
    let header = chance(1, in: 3) ? nil : "\(below(3))"
    let footer = chance(3, in: 4) ? nil : "\(below(3))"
    return Group(id: id ?? sectionID(), header: header, footer: footer, items: items)
  }

  mutating func list() -> [Group] {
    var list: [Group] = []
    for _ in 0..<below(5) {
      let rows = below(6)
      list.append(group(rows: rows))
    }
    return list
  }

  /// Returns the next rows of a list: some deleted, inserted, moved and updated.
  ///
  /// If `repeats`, several may have the same id.
  mutating func next(_ rows: [Row], repeats: Bool) -> [Row] {
    var rows = rows
    for _ in 0..<below(4) where !rows.isEmpty { rows.remove(at: below(rows.count)) }
    for _ in 0..<below(4) {
      let row = row(repeats ? 8 : 40)
      if !repeats, rows.contains(where: { $0.id == row.id }) { continue }
      rows.insert(row, at: below(rows.count + 1))
    }
    for _ in 0..<below(3) where !rows.isEmpty {
      let row = rows.remove(at: below(rows.count))
      rows.insert(row, at: below(rows.count + 1))
    }
    for _ in 0..<below(3) where !rows.isEmpty { rows[below(rows.count)].text = "\(below(9))" }
    return rows
  }

  /// Returns the next sections of a list, whose headers and rows may change together.
  ///
  /// If `repeats`, several may have the same id.
  mutating func next(_ list: [Group], repeats: Bool) -> [Group] {
    if chance(1, in: 30) { return self.list() }
    var list = list
    for _ in 0..<below(2) where !list.isEmpty { list.remove(at: below(list.count)) }
    for _ in 0..<below(2) {
      let group = group(rows: below(4))
      if !repeats, list.contains(where: { $0.id == group.id }) { continue }
      list.insert(group, at: below(list.count + 1))
    }
    if list.count > 1, chance(1, in: 4) {
      let group = list.remove(at: below(list.count))
      list.insert(group, at: below(list.count + 1))
    }
    for index in list.indices {
      if chance(1, in: 2) { list[index].items = next(list[index].items, repeats: repeats) }
      if chance(1, in: 3) { list[index].header = "\(below(9))" }
    }
    for _ in 0..<below(4) where !list.isEmpty {
      let (from, to) = (below(list.count), below(list.count))
      guard !list[from].items.isEmpty else { continue }
      let row = list[from].items.remove(at: below(list[from].items.count))
      list[to].items.insert(row, at: below(list[to].items.count + 1))
    }
    return list
  }
}
