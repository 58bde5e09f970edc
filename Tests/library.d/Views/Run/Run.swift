import ListDiff
import ListSources

/// The changes of a seed.
@MainActor struct Run {
  /// What is shown at present, for messages of errors.
  static var place = ""

  let seed: UInt64
  var random: Numbers

  /// The number of changes that were shown.
  var shown = 0

  init(seed: UInt64) {
    self.seed = seed
    random = Numbers(state: seed)
  }

  func begin(_ what: String, _ round: Int) {
    Run.place = "\(what), seed \(seed), round \(round)"
  }

  mutating func showFlatLists(_ rounds: Int) throws {
    var rows: [Row] = []
    let screen = Screen([Group(id: "a", items: rows)])
    for round in 0..<rounds {
      begin("rows", round)
      let new = random.next(rows, repeats: round / 50 % 3 == 2)
      let changes = Changes(from: rows, to: new, moves: !random.chance(1, in: 5))
      try screen.show(changes, from: rows, to: new)
      rows = new
      shown += 1
    }
  }

  mutating func showLists(_ rounds: Int) throws {
    var list: [Group] = []
    let screen = Screen(list)
    for round in 0..<rounds {
      begin("sections", round)
      let new = random.next(list, repeats: round / 100 % 3 == 2)
      let changes = Changes(fromSections: list, to: new, moves: !random.chance(1, in: 5))
      try screen.show(changes, from: list, to: new)
      list = new
      shown += 1
    }
  }

  // MARK: Snapshots

  /// Snapshots of ids, whose contents are beside them, as in a diffable data source.
  mutating func showSnapshots(_ rounds: Int) throws {
    var (rows, headers): ([Int: Row], [String: String]) = ([:], [:])
    func list(_ snapshot: ListSnapshot<String, Int>) -> [Group] {
      snapshot.sectionIdentifiers.map { id in
        let items = snapshot.itemIdentifiers(inSection: id).map { rows[$0] ?? Row(id: $0) }
        return Group(id: id, header: headers[id], items: items)
      }
    }
    var snapshot = ListSnapshot<String, Int>()
    try snapshot.appendSections(["a", "b", "c"])
    let screen = Screen(list(snapshot))
    for round in 0..<rounds {
      begin("snapshots", round)
      var next = snapshot
      let old = list(snapshot)
      for _ in 0..<random.below(4) { edit(&next) }
      let ids = next.itemIdentifiers
      for _ in 0..<random.below(4) where !ids.isEmpty {
        let id = ids[random.below(ids.count)]
        rows[id, default: Row(id: id)].text = "\(random.below(9))"
        if random.chance(1, in: 2) {
          rows[id]?.isWide.toggle()
          try next.reloadItems([id])
        } else {
          try next.reconfigureItems([id])
        }
      }
      if let id = next.sectionIdentifiers.first, random.chance(1, in: 3) {
        headers[id] = "\(random.below(9))"
        try next.reloadSections([id])
      }
      try screen.show(next.changes(from: snapshot), from: old, to: list(next))
      if !next.changes(from: next).isEmpty { fail("marks of a snapshot that is shown") }
      snapshot = next
      shown += 1
    }
  }

  private mutating func edit(_ snapshot: inout ListSnapshot<String, Int>) {
    let (id, other, section) = (random.below(20), random.below(20), random.sectionID())
    // Edits that refer to what is missing change nothing.
    switch random.below(7) {
    case 0, 1: _ = try? snapshot.appendItems([id], toSection: section)
    case 2: _ = try? snapshot.insertItems([id], beforeItem: other)
    case 3: _ = try? snapshot.moveItem(id, afterItem: other)
    case 4: _ = try? snapshot.deleteItems([id])
    case 5: _ = try? snapshot.moveSection(section, beforeSection: random.sectionID())
    default: _ = try? snapshot.moveItem(id, beforeItem: other)
    }
  }
}
