import ListAdapters
import ListDiff
import ListSources
import Testing

/// Waits for turns of the main actor until a condition holds, at most for ten seconds.
@MainActor func wait(until condition: () -> Bool) async throws {
  var turns = 0
  repeat {
    try await Task.sleep(for: .milliseconds(1))
    turns += 1
  } while !condition() && turns < 10_000
}

/// A display that is as strict as a view: it asks for the rows and headers that a stage inserts or
/// updates, keeps all others, and must then have as many as its list.
@MainActor final class StrictDisplay: ListDisplay {
  weak var list: (any PresentedList)?
  var showsStages = true

  /// Whether rows with other texts need other views.
  var needsNewViews = false

  private(set) var sections: [Group] = []
  private(set) var selected: [ListPath] = []
  private(set) var revealed: ListPath?
  private(set) var stages: [Changes.Stage] = []
  private(set) var reloads = 0

  /// Called with each row that is read.
  var whenRead: (Row) -> Void = { _ in }

  func canReuseView(of item: Any, for updated: Any) -> Bool { !needsNewViews }

  func reload() {
    reloads += 1
    sections = (0..<(list?.sectionCount ?? 0)).map { section($0) }
    selected = []
  }

  func show(_ stage: Changes.Stage, setList: @escaping () -> Void) {
    let counts = sections.map { $0.items.count }
    let listed = (0..<(list?.sectionCount ?? 0)).map { list?.itemCount(inSection: $0) ?? 0 }
    #expect(counts == listed, "the list before the stage")
    setList()
    stage.apply(toSections: &sections) {
      section($0)
    } inserting: {
      row($0)
    }
    let after = (0..<(list?.sectionCount ?? 0)).map { list?.itemCount(inSection: $0) ?? 0 }
    #expect(sections.map { $0.items.count } == after, "the list after the stage")
    stages.append(stage)
  }

  func showSelection(revealsCursor: Bool) {
    selected = list?.selectedPaths ?? []
    if revealsCursor { revealed = list?.cursorPath }
  }

  private func section(_ index: Int) -> Group {
    let shown = list?.content(ofSection: index)
    guard let section = ((shown as? AnySection)?.base ?? shown) as? Group else {
      return Group(id: "none")
    }
    var result = section
    result.items = (0..<(list?.itemCount(inSection: index) ?? 0)).map {
      row(ListPath(section: index, row: $0))
    }
    return result
  }

  private func row(_ path: ListPath) -> Row {
    let shown = list?.content(at: path)
    guard let row = ((shown as? AnyItem)?.base ?? shown) as? Row else {
      return Row(id: -1, text: "none")
    }
    whenRead(row)
    return row
  }
}
