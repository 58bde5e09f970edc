#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  import AppKit
  import ListDiff

  extension NSTableView {
    /// Shows a stage of a change of a flat list.
    ///
    /// The data source must have the list after the stage, as `steps(from:to:)` returns it. A table
    /// view of AppKit applies operations one after the other, each to the result of the previous one.
    ///
    /// - Precondition: The stage has no operations on sections.
    public func performBatchUpdates(
      _ stage: Changes.Stage, with animation: NSTableView.AnimationOptions = [.effectFade]
    ) {
      var layout = FlatLayout([FlatLayout.Section(rowCount: numberOfRows)])
      let sections = layout.sections
      let ops = layout.apply(stage, to: sections)
      precondition(layout.sections.count == 1, "a flat list has no operations on sections")
      apply(ops, animation)
    }

    func apply(_ ops: [FlatLayout.Op], _ animation: NSTableView.AnimationOptions) {
      beginUpdates()
      for op in ops {
        switch op {
        case .delete(let rows): removeRows(at: IndexSet(rows), withAnimation: animation)
        case .insert(let rows): insertRows(at: IndexSet(rows), withAnimation: animation)
        case .move(let rows, let to):
          // The rows move one by one: forwards always the first row, to the end of the destination;
          // backwards in order.
          for offset in 0..<rows.count {
            let isForward = rows.lowerBound < to
            moveRow(
              at: isForward ? rows.lowerBound : rows.lowerBound + offset,
              to: isForward ? to + rows.count - 1 : to + offset)
          }
        case .update(let rows):
          reloadData(
            forRowIndexes: IndexSet(rows), columnIndexes: IndexSet(0..<numberOfColumns))
        }
      }
      endUpdates()
    }
  }
#endif
