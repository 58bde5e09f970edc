#if canImport(UIKit) && !os(watchOS)
  import ListDiff
  import UIKit

  extension UITableView {
    /// Shows a stage of a change, as one batch update, or two if it updates sections and rows.
    ///
    /// The data source must have the list after the stage, as `steps(from:to:)` returns it. A table
    /// that has not read the list before the stage reads it when the batch update begins; then
    /// `setData` must set the list after the stage.
    public func performBatchUpdates(
      _ stage: Changes.Stage, with animation: UITableView.RowAnimation = .automatic,
      setData: @escaping () -> Void = {}
    ) {
      // A section update is shown as a reload; a row of a reloaded section must not be updated in
      // the same batch.
      for (index, part) in stage.separatingSectionUpdates.enumerated() {
        performBatchUpdates {
          if index == 0 { setData() }
          self.apply(part, animation)
        }
      }
    }

    /// A change has several stages.
    @available(*, unavailable, message: "show each stage: for step in try changes.steps(from:to:)")
    public func performBatchUpdates(_ changes: Changes) { preconditionFailure() }

    private func apply(_ stage: Changes.Stage, _ animation: UITableView.RowAnimation) {
      for op in stage.ops {
        switch op {
        case .deleteSections(let at, let count):
          deleteSections(IndexSet(at..<at + count), with: animation)
        case .insertSections(let at, let count):
          insertSections(IndexSet(at..<at + count), with: animation)
        case .moveSections(let from, let to, let count):
          for offset in 0..<count { moveSection(from + offset, toSection: to + offset) }
        case .deleteItems(let at, let count):
          deleteRows(at: paths(at, count), with: animation)
        case .insertItems(let at, let count):
          insertRows(at: paths(at, count), with: animation)
        case .moveItems(let from, let to, let count):
          for (from, to) in zip(paths(from, count), paths(to, count)) { moveRow(at: from, to: to) }
        case .reloadSections(let at, let count), .reconfigureSections(let at, let count):
          reloadSections(IndexSet(at..<at + count), with: animation)
        case .reloadItems(let at, let count): reloadRows(at: paths(at, count), with: animation)
        case .reconfigureItems(let at, let count): reconfigureRows(at: paths(at, count))
        }
      }
    }

    private func paths(_ at: ListPath, _ count: Int) -> [IndexPath] {
      (at.row..<at.row + count).map { IndexPath(row: $0, section: at.section) }
    }
  }
#endif
