import Foundation

/// A collection view as strict as UIKit's, as far as the examples of the documentation need one:
/// after a batch update it has to have the rows that its data source has.
final class CollectionView {
  /// The cells, by section; each shows what the data source had when it was made or given other
  /// content.
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
    let (taken, updated) = (batch.taken, batch.updated)
    precondition(Set(taken).count == taken.count && taken.allSatisfy { !updated.contains($0) })
    precondition(taken.isEmpty || updated.isEmpty, "changes of content come alone")
    precondition(Set(batch.put).count == batch.put.count)
    var next = cells
    for path in taken.sorted(by: >) { next[path[0]].remove(at: path[1]) }
    for path in batch.put.sorted() { next[path[0]].insert(cell(path, source), at: path[1]) }
    for path in updated { next[path[0]][path[1]] = source[path[0]][path[1]] }
    precondition(next.map(\.count) == source.map(\.count), "invalid update")
    cells = next
  }

  /// What is to be shown in a place after the batch: a new cell, or one that was elsewhere.
  private func cell(_ path: IndexPath, _ source: [[Int]]) -> Int {
    guard let from = batch.sources[path] else { return source[path[0]][path[1]] }
    return cells[from[0]][from[1]]
  }

  func deleteItems(at paths: [IndexPath]) { batch.taken += paths }

  func insertItems(at paths: [IndexPath]) { batch.put += paths }

  func moveItem(at path: IndexPath, to newPath: IndexPath) {
    batch.taken.append(path)
    batch.put.append(newPath)
    batch.sources[newPath] = path
  }

  func reconfigureItems(at paths: [IndexPath]) { batch.updated.formUnion(paths) }

  private struct Batch {
    var taken: [IndexPath] = []
    var put: [IndexPath] = []
    var sources: [IndexPath: IndexPath] = [:]
    var updated: Set<IndexPath> = []
  }
}

extension IndexPath {
  init(item: Int, section: Int) { self.init(indexes: [section, item]) }
}
