import ListDiff
import Testing

/// A view that shows stages, and reads inserted and updated rows from its data source when it does.
@MainActor final class StageView {
  private(set) var rows: [Section]
  private let data: () -> [Section]

  init(data: @escaping () -> [Section]) {
    self.data = data
    rows = data()
  }

  func reloadData() { rows = data() }

  func performBatchUpdates(_ stage: Changes.Stage, setData: () -> Void = {}) {
    setData()
    let data = data()
    stage.apply(toSections: &rows) {
      data[$0]
    } inserting: {
      data[$0.section].items[$0.row]
    }
    let counts = data.map { $0.items.count }
    #expect(rows.map { $0.items.count } == counts, "the view has the rows of its data source")
  }
}
