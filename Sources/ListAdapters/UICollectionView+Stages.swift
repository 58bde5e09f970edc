#if canImport(UIKit) && !os(watchOS)
  import ListDiff
  import UIKit

  extension UICollectionView {
    /// Shows a stage of a change, as one batch update, or two if it updates sections and items.
    ///
    /// The data source must have the list after the stage, as `steps(from:to:)` returns it. A view
    /// that has not read the list before the stage reads it when the batch update begins; then
    /// `setData` must set the list after the stage.
    public func performBatchUpdates(
      _ stage: Changes.Stage, setData: @escaping () -> Void = {}
    ) {
      // A section update is shown as a reload; an item of a reloaded section must not be updated in
      // the same batch.
      for (index, part) in stage.separatingSectionUpdates.enumerated() {
        performBatchUpdates {
          if index == 0 { setData() }
          self.apply(part)
        }
      }
    }

    /// A change has several stages.
    @available(*, unavailable, message: "show each stage: for step in try changes.steps(from:to:)")
    public func performBatchUpdates(_ changes: Changes) { preconditionFailure() }

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
