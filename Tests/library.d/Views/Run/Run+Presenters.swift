import ListAdapters
import ListDiff
import ListSources

/// Sources and compositions whose presenters show their changes while the user taps on rows and undoes.
extension Run {
  /// Several edits are made in one turn of the main actor. One screen is updated in each turn, one
  /// rarely, and one by the main actor.
  mutating func showSources(_ rounds: Int) async throws {
    let source = ListSource(sections: random.list())
    let edits = CellEdits(random.next()) { run in run.edit(source) }
    let screens = (0..<3).map { _ in PresenterScreen(source, edits) }
    screens[0].table.undoLimit = 5
    for round in 0..<rounds {
      begin("sources", round)
      if round % 50 == 0 { setModes(of: source) }
      // A screen may show a row that the source has moved or deleted since.
      if random.chance(1, in: 3) { screens[random.below(3)].tap(&random) }
      screens[0].update()
      let before = Seen(source)
      let hadChanges = screens[0].table.canUndo
      for _ in 0..<2 + random.below(4) { edit(source) }
      if random.chance(1, in: 20) { source.apply(random.next(source.sections, repeats: false)) }
      edits.isOn = random.chance(1, in: 8)
      screens[0].update()
      if edits.isOn {
        // Rows may have edited the source again and again.
        edits.isOn = false
        screens[0].update()
      } else if before.sections != source.sections, random.chance(1, in: 3) {
        undo(screens[0].table, to: before)
        screens[0].update()
      }
      if !hadChanges, before.sections == source.sections, screens[0].table.canUndo, !edits.didEdit {
        fail("a change that was not shown can be undone")
      }
      edits.didEdit = false
      screens[0].check("screen 0")
      if random.chance(1, in: 8) {
        screens[1].update()
        screens[1].check("screen 1")
      }
      if random.chance(1, in: 8) {
        var turns = 0
        while !screens[2].isPresent, turns < 10_000 {
          try await Task.sleep(for: .milliseconds(1))
          turns += 1
        }
        screens[2].check("screen 2")
      }
      shown += 1
    }
  }

  /// What a source has at a time.
  @MainActor private struct Seen: Equatable {
    var sections: [Group]
    var selected: [ListPath]
    var cursor: ListPath?

    init(_ source: ListSource<Group>) {
      (sections, selected, cursor) = (source.sections, source.selectedPaths, source.cursorPath)
    }
  }

  /// Undoes the last change and makes it again.
  private func undo(
    _ presenter: ListPresenter<ListSource<Group>, TableDisplay>, to before: Seen
  ) {
    let after = Seen(presenter.source)
    if !presenter.undo() || Seen(presenter.source) != before {
      fail("undo: \(Seen(presenter.source)), not \(before)")
    }
    if !presenter.redo() || Seen(presenter.source) != after {
      fail("redo: \(Seen(presenter.source)), not \(after)")
    }
  }

  private mutating func setModes(of source: ListSource<Group>) {
    let modes: [SelectionMode] = [
      .multiple, .multiple(maximum: 2), .single, .single(allowsEmpty: false), .disabled,
    ]
    for section in source.sections {
      try? source.setSelectionMode(modes[random.below(modes.count)], ofSection: section.id)
    }
  }

  mutating func edit(_ source: ListSource<Group>) {
    var row = random.row()
    row.isWide = random.chance(1, in: 8)
    let (other, section) = (random.below(20), random.sectionID())
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
    case 14: _ = try? source.deleteSections([section])
    default:
      _ = try? source.batch {
        try source.updateItems([row])
        try source.updateSections([random.group(section)])
      }
    }
  }

  // MARK: Compositions

  /// Compositions of sources, one of which has a source twice.
  mutating func showCompositions(_ rounds: Int) {
    let sources = (0..<3).map { _ in ListSource(sections: random.list()) }
    let edits = CellEdits(random.next()) { run in
      run.edit(sources[run.random.below(sources.count)])
    }
    let screens = [
      PresenterScreen(Composed { for source in sources { source } }, edits),
      PresenterScreen(
        Composed {
          sources[2]
          sources[0].filtered { $0.id % 3 > 0 }
          sources[0]
        }, edits),
    ]
    for round in 0..<rounds {
      begin("compositions", round)
      for _ in 0..<1 + random.below(4) { edit(sources[random.below(sources.count)]) }
      for screen in screens where random.chance(2, in: 3) {
        if random.chance(1, in: 3) { screen.tap(&random) }
        edits.isOn = random.chance(1, in: 8)
        screen.update()
        edits.isOn = false
        screen.update()
        screen.check("a composition")
        shown += 1
      }
    }
  }
}

/// The edits that cells make while they are configured.
@MainActor final class CellEdits {
  var isOn = false
  var didEdit = false
  private var run: Run
  private let edit: (inout Run) -> Void

  init(_ seed: UInt64, edit: @escaping (inout Run) -> Void) {
    run = Run(seed: seed)
    self.edit = edit
  }

  func cellIsConfigured() {
    guard isOn, run.random.chance(1, in: 10) else { return }
    didEdit = true
    edit(&run)
  }
}
