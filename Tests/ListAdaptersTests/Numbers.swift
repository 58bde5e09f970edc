import ListSources

struct Row: Identifiable, Equatable, Sendable {
  var id: Int
  var text = ""
}

typealias Group = HeadedSection<String, String, Row>

/// Reproducible random numbers (SplitMix64) and lists.
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

  /// Returns the next sections of a list: sections and rows deleted, inserted, moved and updated.
  mutating func next(_ list: [Group]) -> [Group] {
    var list = list
    if list.count > 2 || list.count > 0 && below(4) == 0 { list.remove(at: below(list.count)) }
    if below(3) == 0 || list.isEmpty {
      let id = "\(below(5))"
      if !list.contains(where: { $0.id == id }) {
        list.insert(Group(id: id), at: below(list.count + 1))
      }
    }
    var used = Set(list.flatMap { $0.items.map { $0.id } })
    for _ in 0..<below(6) where !list.isEmpty {
      let (from, to) = (below(list.count), below(list.count))
      switch below(4) {
      case 0 where !list[from].items.isEmpty:
        let row = list[from].items.remove(at: below(list[from].items.count))
        list[to].items.insert(row, at: below(list[to].items.count + 1))
      case 1 where !list[from].items.isEmpty:
        list[from].items[below(list[from].items.count)].text = "\(below(100))"
      case 2 where !list[from].items.isEmpty:
        list[from].items.remove(at: below(list[from].items.count))
      default:
        let row = Row(id: below(40), text: "new \(below(100))")
        if used.insert(row.id).inserted {
          list[to].items.insert(row, at: below(list[to].items.count + 1))
        }
      }
    }
    for index in list.indices where below(3) == 0 {
      list[index].header = below(2) == 0 ? nil : "header \(below(9))"
      list[index].footer = below(2) == 0 ? nil : "footer \(below(9))"
    }
    return list
  }
}
