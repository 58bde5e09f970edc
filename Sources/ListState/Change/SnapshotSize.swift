/// The size of a snapshot.
package struct SnapshotSize: Hashable, Sendable {
  package var sections = 0
  package var items = 0
  package var rows = 0

  /// The size of the sections' own members.
  package var bytes = 0

  package init(sections: Int = 0, items: Int = 0, rows: Int = 0, bytes: Int = 0) {
    self.sections = sections
    self.items = items
    self.rows = rows
    self.bytes = bytes
  }

  /// Creates the size of a snapshot.
  ///
  /// - Complexity: O(*s*), where *s* is the number of sections.
  init(_ snapshot: Snapshot) {
    self.init(
      sections: snapshot.sections.count, items: snapshot.itemCount, rows: snapshot.rowCount,
      bytes: snapshot.sections.reduce(0) { $0 + Int($1.own.length) })
  }

  /// Creates the size of the list of a tree.
  ///
  /// - Complexity: O(*s*), where *s* is the number of sections.
  init(_ tree: ListTree) {
    self.init(
      sections: tree.sectionCount, items: tree.itemCount, rows: tree.rowCount,
      bytes: tree.sectionsInOrder.reduce(0) { $0 + Int(tree.sections[$1].traits.own.length) })
  }

  /// The default size limit of a composite.
  package static let compositeLimit = SnapshotSize(
    sections: 1 << 20, items: 1 << 24, rows: 1 << 24, bytes: 1 << 28)

  /// Reports whether no component exceeds that of a limit.
  func isWithin(_ limit: SnapshotSize) -> Bool {
    sections <= limit.sections && items <= limit.items && rows <= limit.rows
      && bytes <= limit.bytes
  }

  /// Returns the approximate size of the same content in a composite, where section identifiers
  /// start with the name of the source.
  func inComposite(of name: [UInt8]) -> SnapshotSize {
    var size = self
    size.bytes += sections * (name.count + 8)
    return size
  }

  /// Returns an upper bound of what a view shows of this growth of its sources.
  func shown(by rules: any ViewRules) -> SnapshotSize {
    guard let window = rules.window, window.count < items else { return self }
    var size = self
    size.items = window.count
    size.sections = min(sections, window.count)
    return size
  }

  static func + (a: SnapshotSize, b: SnapshotSize) -> SnapshotSize {
    SnapshotSize(
      sections: a.sections + b.sections, items: a.items + b.items, rows: a.rows + b.rows,
      bytes: a.bytes + b.bytes)
  }

  static func - (a: SnapshotSize, b: SnapshotSize) -> SnapshotSize {
    SnapshotSize(
      sections: a.sections - b.sections, items: a.items - b.items, rows: a.rows - b.rows,
      bytes: a.bytes - b.bytes)
  }
}
