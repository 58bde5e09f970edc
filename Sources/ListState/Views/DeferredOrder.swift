import Synchronization

/// The order of all items of a view, of which only the first items have been computed so far.
///
/// A keystroke in a view with a window needs only the items in the window. The others are sorted on
/// first use: by an edit of a source, a selection, or a moved window.
package final class DeferredOrder: Sendable {
  private enum State {
    case pending(@Sendable (_ isStopped: () -> Bool) -> [Int32]?)
    case known([Int32])
  }

  /// The number of items.
  let count: Int
  private let state: Mutex<State>

  /// Creates the order that `compute` returns, or `nil` if it `isStopped`.
  package init(
    count: Int, _ compute: @escaping @Sendable (_ isStopped: () -> Bool) -> [Int32]?
  ) {
    self.count = count
    state = Mutex(.pending(compute))
  }

  /// All items, by their indices in the sources.
  ///
  /// - Complexity: That of `compute` for the first access, then O(1).
  package var items: [Int32] { items { false }! }

  /// Returns all items, or `nil` if it `isStopped`. They can then be computed later.
  package func items(isStopped: () -> Bool) -> [Int32]? {
    state.withLock { state in
      switch state {
      case .known(let items): return items
      case .pending(let compute):
        guard let items = compute(isStopped) else { return nil }
        precondition(items.count == count, "as many items as were counted")
        state = .known(items)
        return items
      }
    }
  }
}
