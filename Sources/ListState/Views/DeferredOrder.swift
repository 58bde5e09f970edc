import Synchronization

/// The order of all items of a view, of which only the first items have been computed so far.
///
/// A keystroke in a view with a window needs only the items in the window. The others are sorted on
/// first use: by an edit of a source, a selection, or a moved window.
package final class DeferredOrder: Sendable {
  private enum State {
    case pending(@Sendable () -> [Int32])
    case known([Int32])
  }

  /// The number of items.
  let count: Int
  private let state: Mutex<State>

  /// Creates the order that `compute` returns, which is called at most once.
  package init(count: Int, _ compute: @escaping @Sendable () -> [Int32]) {
    self.count = count
    state = Mutex(.pending(compute))
  }

  /// All items, by their indices in the sources.
  ///
  /// - Complexity: That of `compute` for the first access, then O(1).
  var items: [Int32] {
    state.withLock { state in
      switch state {
      case .known(let items): return items
      case .pending(let compute):
        let items = compute()
        precondition(items.count == count, "as many items as were counted")
        state = .known(items)
        return items
      }
    }
  }
}
