import ListDiff
import ListSources

/// The changes of a seed.
@MainActor struct Run {
  /// What is shown at present, for messages of errors.
  static var place = ""

  private let seed: UInt64
  private var random: Numbers

  /// The number of changes that were shown.
  private(set) var shown = 0

  init(seed: UInt64) {
    self.seed = seed
    random = Numbers(state: seed)
  }

  private func begin(_ what: String, _ round: Int) {
    Run.place = "\(what), seed \(seed), round \(round)"
  }

  /// Returns a rule for changes that are shown by reloading everything: none, long ones, or all.
  private mutating func interrupt() -> (Changes) -> Bool {
    let limit = random.chance(1, in: 20) ? random.below(8) : Int.max
    return { $0.opCount > limit }
  }

  mutating func showFlatLists(_ rounds: Int) throws {
    var rows: [Row] = []
    let screen = Screen([Group(id: "a", items: rows)])
    let window = Window(rows)
    for round in 0..<rounds {
      begin("rows", round)
      let new = random.next(rows, repeats: round / 50 % 3 == 2)
      let changes = Changes(from: rows, to: new, moves: !random.chance(1, in: 5))
      let interrupt = interrupt()
      try screen.show(changes, from: rows, to: new, interrupt: interrupt)
      try window.show(changes, from: rows, to: new, interrupt: interrupt)
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
      try screen.show(changes, from: list, to: new, interrupt: interrupt())
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

  // MARK: Sources

  /// Observers of a source: one that receives each change, several edits of which are made in one
  /// turn of the main actor, and one that receives few.
  mutating func showSources(_ rounds: Int) async throws {
    let source = ListSource(sections: random.list())
    let screens = [Screen(source.sections), Screen(source.sections)]
    var changes = [source.changes.makeAsyncIterator(), source.changes.makeAsyncIterator()]
    for round in 0..<rounds {
      begin("sources", round)
      let before = source.sections
      for _ in 0...random.below(5) { edit(source) }
      for index in screens.indices where index == 0 || random.chance(1, in: 8) {
        // An observer waits if the edits have changed nothing.
        try source.appendSections([Group(id: "x\(round)\(index)")])
        guard let change = await changes[index].next() else { fail("the sequence has ended") }
        try screens[index].show(change.list, stepByStep: round % 2 == 0)
        screens[index].check(source.sections, "the source")
        shown += 1
      }
      if round % 10 == 0 {
        source.apply(before)
      } else {
        try source.deleteSections(source.sections.map { $0.id }.filter { $0.hasPrefix("x") })
      }
    }
  }

  private mutating func edit(_ source: ListSource<Group>) {
    let (row, other, section) = (random.row(), random.below(20), random.sectionID())
    // Edits that refer to what is missing change nothing.
    switch random.below(16) {
    case 0, 1: _ = try? source.appendItems([row], toSection: section)
    case 2: _ = try? source.insertItems([row], beforeItem: other)
    case 3: _ = try? source.insertItems([row], afterItem: other)
    case 4: _ = try? source.deleteItems([other])
    case 5: _ = try? source.moveItem(row.id, beforeItem: other)
    case 6: _ = try? source.moveItem(row.id, afterItem: other)
    case 7: _ = try? source.moveItems([row.id], toSection: section)
    case 8, 9: _ = try? source.updateItems([row])
    case 10: _ = try? source.updateSections([random.group(section)])
    case 11: _ = try? source.appendSections([random.group(rows: 2)])
    case 12: _ = try? source.moveSection(section, beforeSection: random.sectionID())
    case 13: _ = try? source.select([other], .toggle)
    case 14:
      _ = try? source.batch {
        try source.updateItems([row])
        try source.updateSections([random.group(section)])
      }
    default: source.apply(random.next(source.sections, repeats: false))
    }
  }

  // MARK: Compositions

  /// Compositions of sources, whose closures edit the sources in the middle of a change.
  mutating func showCompositions(_ rounds: Int) throws {
    let sources = (0..<3).map { _ in ListSource(sections: random.list()) }
    let lists = [
      ComposedSource(sources), ComposedSource([sources[2], sources[0], sources[0]]),
    ]
    let screens = lists.map { Screen($0.sections) }
    let edits = Edits(random)
    for (list, screen) in zip(lists, screens) {
      list.whenChanged = { change in
        edits.count += 1
        if edits.random.chance(1, in: 4) { edits.make(in: sources) }
        do { try screen.show(change, stepByStep: edits.random.chance(1, in: 2)) } catch {
          fail("\(error)")
        }
        if edits.random.chance(1, in: 4) { edits.make(in: sources) }
      }
    }
    for round in 0..<rounds {
      begin("compositions", round)
      edits.make(in: sources)
      for (list, screen) in zip(lists, screens) { screen.check(list.sections, "a composition") }
    }
    shown += edits.count
  }

  /// The edits that closures make.
  @MainActor private final class Edits {
    var random: Numbers
    var count = 0

    init(_ random: Numbers) { self.random = random }

    func make(in sources: [ListSource<Group>]) {
      var run = Run(seed: random.next())
      run.edit(sources[random.below(sources.count)])
    }
  }
}
