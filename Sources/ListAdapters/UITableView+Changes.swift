#if canImport(UIKit) && !os(watchOS)
  import ListDiff
  import UIKit

  extension UITableView {
    /// Shows a change between flat lists, stage by stage.
    ///
    /// `setData` is called in each batch update with the list after the stage. If the table is not
    /// in a window, or `interrupt` returns true for the change, all rows are reloaded.
    ///
    /// - Throws: `ShapeMismatch` if `old` or `new` is not as long as the list that was compared.
    public func apply<Item>(
      _ changes: Changes, from old: [Item], to new: [Item],
      animation: UITableView.RowAnimation = .automatic,
      interrupt: (Changes) -> Bool = { $0.opCount > 200 }, setData: ([Item]) -> Void
    ) throws(ShapeMismatch) {
      let steps = try changes.steps(from: old, to: new)
      if window == nil || interrupt(changes) {
        setData(new)
        reloadData()
        return
      }
      // The batch update is complete when the call returns.
      withoutActuallyEscaping(setData) { setData in
        for step in steps {
          performBatchUpdates {
            setData(step.data)
            self.apply(step.stage, animation)
          }
        }
      }
    }

    /// Shows a change between lists with sections, stage by stage.
    ///
    /// `setData` is called in each batch update with the list after the stage. If the table is not
    /// in a window, or `interrupt` returns true for the change, all rows are reloaded.
    ///
    /// - Throws: `ShapeMismatch` if the numbers of sections or rows of `old` or `new` are not those
    ///   of the list that was compared.
    public func apply<Section: ListSection>(
      _ changes: Changes, fromSections old: [Section], to new: [Section],
      animation: UITableView.RowAnimation = .automatic,
      interrupt: (Changes) -> Bool = { $0.opCount > 200 }, setData: ([Section]) -> Void
    ) throws(ShapeMismatch) {
      // A section update is shown as a reload; a row of a reloaded section must not be updated in
      // the same batch.
      let steps = try changes.separatingSectionUpdates.steps(fromSections: old, to: new)
      if window == nil || interrupt(changes) {
        setData(new)
        reloadData()
        return
      }
      // The batch update is complete when the call returns.
      withoutActuallyEscaping(setData) { setData in
        for step in steps {
          performBatchUpdates {
            setData(step.data)
            self.apply(step.stage, animation)
          }
        }
      }
    }

    /// Shows a stage of a change, as one batch update, or two if it updates sections and rows.
    ///
    /// The data source must have the list after the stage, as `steps(from:to:)` returns it.
    public func performBatchUpdates(
      _ stage: Changes.Stage, with animation: UITableView.RowAnimation = .automatic
    ) {
      // A section update is shown as a reload; a row of a reloaded section must not be updated in
      // the same batch.
      for part in stage.separatingSectionUpdates {
        performBatchUpdates { self.apply(part, animation) }
      }
    }

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
