#if canImport(UIKit) && !os(watchOS)
  import ListDiff
  import UIKit

  extension UICollectionView {
    /// Shows a change between flat lists, stage by stage.
    ///
    /// `setData` is called in each batch update with the list after the stage. If the view is not
    /// in a window, or `interrupt` returns true for the change, all items are reloaded.
    ///
    /// - Throws: `ShapeMismatch` if `old` or `new` is not as long as the list that was compared.
    public func apply<Item>(
      _ changes: Changes, from old: [Item], to new: [Item],
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
            self.apply(step.stage)
          }
        }
      }
    }

    /// Shows a change between lists with sections, stage by stage.
    ///
    /// `setData` is called in each batch update with the list after the stage. If the view is not
    /// in a window, or `interrupt` returns true for the change, all items are reloaded.
    ///
    /// - Throws: `ShapeMismatch` if the numbers of sections or rows of `old` or `new` are not those
    ///   of the list that was compared.
    public func apply<Section: ListSection>(
      _ changes: Changes, fromSections old: [Section], to new: [Section],
      interrupt: (Changes) -> Bool = { $0.opCount > 200 }, setData: ([Section]) -> Void
    ) throws(ShapeMismatch) {
      // A section update is shown as a reload; an item of a reloaded section must not be updated in
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
            self.apply(step.stage)
          }
        }
      }
    }

    /// Shows a stage of a change, as one batch update, or two if it updates sections and items.
    ///
    /// The data source must have the list after the stage, as `steps(from:to:)` returns it.
    public func performBatchUpdates(_ stage: Changes.Stage) {
      // A section update is shown as a reload; an item of a reloaded section must not be updated in
      // the same batch.
      for part in stage.separatingSectionUpdates {
        performBatchUpdates { self.apply(part) }
      }
    }

    private func apply(_ stage: Changes.Stage) {
      for op in stage.ops {
        switch op {
        case .deleteSections(let at, let count): deleteSections(IndexSet(at..<at + count))
        case .insertSections(let at, let count): insertSections(IndexSet(at..<at + count))
        case .moveSections(let from, let to, let count):
          for offset in 0..<count { moveSection(from + offset, toSection: to + offset) }
        case .deleteItems(let at, let count): deleteItems(at: paths(at, count))
        case .insertItems(let at, let count): insertItems(at: paths(at, count))
        case .moveItems(let from, let to, let count):
          for (from, to) in zip(paths(from, count), paths(to, count)) { moveItem(at: from, to: to) }
        case .reloadSections(let at, let count), .reconfigureSections(let at, let count):
          reloadSections(IndexSet(at..<at + count))
        case .reloadItems(let at, let count): reloadItems(at: paths(at, count))
        case .reconfigureItems(let at, let count): reconfigureItems(at: paths(at, count))
        }
      }
    }

    private func paths(_ at: ListPath, _ count: Int) -> [IndexPath] {
      (at.row..<at.row + count).map { IndexPath(item: $0, section: at.section) }
    }
  }
#endif
