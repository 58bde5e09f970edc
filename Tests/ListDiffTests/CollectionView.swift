import Foundation

/// A collection view that checks batch updates as strictly as UIKit does, with the methods that the
/// examples use: after an update it must have the same number of rows as its data source.
final class CollectionView {
  /// The cells, by section. Each shows the content of the data source at the time the cell was
  /// created or updated.
  private(set) var cells: [[Int]]

  private let dataSource: () -> [[Int]]
  private var batch = Batch()

  init(dataSource: @escaping () -> [[Int]]) {
    self.dataSource = dataSource
    cells = dataSource()
  }

  func performBatchUpdates(_ updates: () -> Void) {
    batch = Batch()
    updates()
    let source = dataSource()
    let (removed, updated) = (batch.removed, batch.updated)
    precondition(
      Set(removed).count == removed.count && removed.allSatisfy { !updated.contains($0) })
    precondition(removed.isEmpty || updated.isEmpty, "updates must be in a batch of their own")
    precondition(Set(batch.inserted).count == batch.inserted.count)
    var next = cells
    for path in removed.sorted(by: >) { next[path[0]].remove(at: path[1]) }
    for path in batch.inserted.sorted() { next[path[0]].insert(cell(path, source), at: path[1]) }
    for path in updated { next[path[0]][path[1]] = source[path[0]][path[1]] }
    precondition(next.map(\.count) == source.map(\.count), "invalid update")
    cells = next
  }

  /// Returns the content of a row after the batch: that of a new cell, or of the moved one.
  private func cell(_ path: IndexPath, _ source: [[Int]]) -> Int {
    guard let from = batch.sources[path] else { return source[path[0]][path[1]] }
    return cells[from[0]][from[1]]
  }

  func deleteItems(at paths: [IndexPath]) { batch.removed += paths }

  func insertItems(at paths: [IndexPath]) { batch.inserted += paths }

  func moveItem(at path: IndexPath, to newPath: IndexPath) {
    batch.removed.append(path)
    batch.inserted.append(newPath)
    batch.sources[newPath] = path
  }

  func reconfigureItems(at paths: [IndexPath]) { batch.updated.formUnion(paths) }

  private struct Batch {
    var removed: [IndexPath] = []
    var inserted: [IndexPath] = []
    var sources: [IndexPath: IndexPath] = [:]
    var updated: Set<IndexPath> = []
  }
}

extension IndexPath {
  init(item: Int, section: Int) { self.init(indexes: [section, item]) }
}
