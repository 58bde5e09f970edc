#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  import AppKit
  import ListDiff

  extension NSTableView {
    /// Shows a change between flat lists.
    ///
    /// A table view of AppKit applies operations one after the other, each to the result of the
    /// previous one. `setData` is called once, with `new`, before the operations. If the view is
    /// not in a window, or `interrupt` returns true for the change, all rows are reloaded.
    ///
    /// - Throws: `ShapeMismatch` if `old` or `new` is not as long as the list that was compared.
    public func apply<Item>(
      _ changes: Changes, from old: [Item], to new: [Item],
      animation: NSTableView.AnimationOptions = [.effectFade],
      interrupt: (Changes) -> Bool = { $0.opCount > 200 }, setData: ([Item]) -> Void
    ) throws(ShapeMismatch) {
      // Computing the steps checks the lengths.
      _ = try changes.steps(from: old, to: new)
      setData(new)
      if window == nil || interrupt(changes) {
        reloadData()
        return
      }
      beginUpdates()
      for op in changes.sequence.ops { apply(op, animation) }
      endUpdates()
    }

    private func apply(_ op: Changes.Op, _ animation: NSTableView.AnimationOptions) {
      switch op {
      case .deleteItems(let at, let count):
        removeRows(at: IndexSet(at.row..<at.row + count), withAnimation: animation)
      case .insertItems(let at, let count):
        insertRows(at: IndexSet(at.row..<at.row + count), withAnimation: animation)
      case .moveItems(let from, let to, let count):
        // The rows move one by one: forwards always the first row, to the end of the destination;
        // backwards in order.
        for offset in 0..<count {
          let isForward = from.row < to.row
          moveRow(
            at: isForward ? from.row : from.row + offset,
            to: isForward ? to.row + count - 1 : to.row + offset)
        }
      case .reloadItems(let at, let count), .reconfigureItems(let at, let count):
        reloadData(
          forRowIndexes: IndexSet(at.row..<at.row + count),
          columnIndexes: IndexSet(0..<numberOfColumns))
      case .deleteSections, .insertSections, .moveSections, .reloadSections, .reconfigureSections:
        break  // A flat list has no operations on sections.
      }
    }
  }
#endif
