import ListDiff

/// Random access to the rows of a list. Copies share the list.
///
/// In complexities, *n* is the number of items. Bytes are valid during the lifetime of the value.
package struct ListRows: Sendable {
  /// A row and its item.
  package struct Row {
    /// The text of the part; `nil` if the item is the row.
    package var part: UnsafeRawBufferPointer?
    package var item: UnsafeRawBufferPointer

    /// The range from the first to the last part in the item's text; `nil` if it has few parts.
    package var parts: Range<Int>?

    /// The key of the template plus one, 0 for the default template.
    package var template: UInt32
    package var isSelected: Bool
  }

  private let tree: ListTree

  /// The tree with the texts of the items, if it is another one.
  private let texts: ListTree?

  /// Creates the rows of a tree, with the texts of its items in another one if `texts` is not `nil`.
  init(_ tree: ListTree, texts: ListTree? = nil) { (self.tree, self.texts) = (tree, texts) }

  /// Creates the rows of a snapshot.
  ///
  /// - Complexity: O(*n*).
  package init(_ snapshot: Snapshot) {
    self.init(ListTree(snapshot, of: [], universe: 0, hasDistinctKeys: false))
  }

  /// The rows of an empty list.
  static let empty = ListRows(ListTree(Snapshot(), of: [], universe: 0))

  /// The number of sections.
  package var sectionCount: Int { tree.sectionCount }

  /// The number of rows.
  package var rowCount: Int { tree.rowCount }

  /// The number of items.
  package var itemCount: Int { tree.itemCount }

  /// The selected rows as maximal ranges within sections.
  package var selection: [(at: Path, count: Int)] { tree.selectedRanges }

  /// The selected items, in order.
  package var selectedItems: [Int] { tree.selectedIndices }

  // MARK: Rows

  /// Returns the index of the first row of a section.
  ///
  /// - Complexity: O(log *s*), where *s* is the number of sections.
  package func start(ofSection section: Int) -> Int {
    tree.order.find(section, .elements, inTree: 0)?.before.rows ?? tree.rowCount
  }

  /// Returns the number of rows of a section.
  ///
  /// - Complexity: O(log *s*).
  package func rowCount(ofSection section: Int) -> Int {
    start(ofSection: section + 1) - start(ofSection: section)
  }

  /// Returns the section and row of a flat row.
  ///
  /// - Complexity: O(log *n*).
  package func path(ofRow row: Int) -> Path {
    guard let path = tree.path(ofRow: row) else { preconditionFailure("a row index is in bounds") }
    return path
  }

  /// Returns the flat row at a section and row, or `nil` if there is none.
  ///
  /// - Complexity: O(log *s*), where *s* is the number of sections.
  package func row(section: Int, _ row: Int) -> Int? { tree.row(section: section, row) }

  /// Returns a row.
  ///
  /// - Complexity: O(log *n*).
  package func row(_ row: Int) -> Row {
    let location = location(ofRow: row)
    let record = withText(tree.record(at: location.item))
    let part = tree.part(at: location.row, of: record)
    return Row(
      part: part.map { itemBytes(of: $0.payload) }, item: itemBytes(of: record.payload),
      parts: tree.partsRange(of: record), template: part?.template ?? record.template,
      isSelected: record.traits.contains(.selected))
  }

  /// Returns an item with its text in the tree that has the texts.
  private func withText(_ record: ItemRecord) -> ItemRecord {
    guard let texts else { return record }
    var record = record
    record.payload = texts.record(at: texts.location(of: record.key)!).payload
    return record
  }

  private func itemBytes(of payload: Payload) -> UnsafeRawBufferPointer {
    (texts ?? tree).bytes(of: payload)
  }

  private func location(ofRow row: Int) -> ListTree.RowLocation {
    guard let location = tree.location(ofRow: row) else {
      preconditionFailure("a row index is in bounds")
    }
    return location
  }

  /// Returns the item of a row.
  ///
  /// - Complexity: O(log *n*).
  package func item(ofRow row: Int) -> Int {
    tree.parts.isEmpty ? row : tree.index(of: location(ofRow: row).item)
  }

  // MARK: Items

  /// Returns the index of the first item of a section.
  ///
  /// - Complexity: O(log *s*), where *s* is the number of sections.
  package func itemStart(ofSection section: Int) -> Int {
    tree.order.find(section, .elements, inTree: 0)?.before.items ?? tree.itemCount
  }

  /// Returns the items of a section.
  ///
  /// - Complexity: O(log *s*).
  package func items(ofSection section: Int) -> Range<Int> {
    itemStart(ofSection: section)..<itemStart(ofSection: section + 1)
  }

  /// Returns the number of items of a section.
  ///
  /// - Complexity: O(log *s*).
  package func itemCount(ofSection section: Int) -> Int { items(ofSection: section).count }

  /// Returns the section of an item.
  ///
  /// - Complexity: O(log *s*).
  package func section(ofItem item: Int) -> Int {
    tree.order.find(item, .items, inTree: 0)!.before.elements
  }

  private func location(ofItem item: Int) -> ListTree.Location {
    guard let location = tree.location(at: item) else {
      preconditionFailure("an item index is in bounds")
    }
    return location
  }

  /// Returns the key of an item's identity.
  package func key(ofItem item: Int) -> UInt32 {
    tree.identity(of: tree.record(at: location(ofItem: item)).key)
  }

  /// Returns whether the identity of an item is not its own `id`.
  package func isKeyed(item: Int) -> Bool {
    tree.record(at: location(ofItem: item)).traits.contains(.isKeyed)
  }

  /// Returns the text of an item.
  ///
  /// - Complexity: O(log *n*).
  package func bytes(ofItem item: Int) -> UnsafeRawBufferPointer {
    itemBytes(of: withText(tree.record(at: location(ofItem: item))).payload)
  }

  /// Calls `body` with the index in its section and the text of each item of a section, until it returns false.
  ///
  /// - Complexity: O(*k*), where *k* is the number of these items.
  package func forEachItem(
    ofSection section: Int, _ body: (Int, UnsafeRawBufferPointer) -> Bool
  ) {
    let buffers = (texts ?? tree).texts
    var index = 0
    for leaf in tree.leaves(ofSection: element(section)).map({ tree.leaves[$0] }) {
      for item in 0..<leaf.count {
        let text = texts == nil ? leaf.payload(at: item) : withText(leaf[item]).payload
        guard body(index, buffers.bytes(of: text)) else { return }
        index += 1
      }
    }
  }

  /// Returns the rows of an item.
  ///
  /// - Complexity: O(log *n*).
  package func rows(ofItem item: Int) -> Range<Int> { tree.rows(of: location(ofItem: item)) }

  /// Returns the path of an item's first row, or of the next row if the item has none.
  ///
  /// - Complexity: O(log *n*).
  package func path(ofItem item: Int) -> Path { tree.path(of: location(ofItem: item)) }

  /// Returns the section of an item, and its index there.
  ///
  /// - Complexity: O(log *n*).
  package func itemPath(ofItem item: Int) -> Path {
    let section = path(ofItem: item).section
    return Path(section: section, row: item - itemStart(ofSection: section))
  }

  /// Returns the rows of ascending items as maximal ranges within sections.
  ///
  /// - Complexity: O(*k* log *n*), where *k* is the number of the items.
  package func ranges(of items: [Int]) -> [(at: Path, count: Int)] { tree.ranges(of: items) }

  // MARK: Sections

  /// Returns the key of a section.
  package func key(ofSection section: Int) -> UInt32 { tree.sections[element(section)].key }

  /// Returns the traits of a section.
  package func traits(ofSection section: Int) -> SectionTraits {
    tree.sections[element(section)].traits
  }

  private func element(_ section: Int) -> Int {
    guard let section = tree.section(at: section) else {
      preconditionFailure("a section index is in bounds")
    }
    return section
  }

  /// Returns the text of a section's own members.
  package func bytes(ofSection section: Int) -> UnsafeRawBufferPointer {
    tree.bytes(of: traits(ofSection: section).own)
  }

  /// Returns a text of the list before or after the change.
  package func bytes(of payload: Payload) -> UnsafeRawBufferPointer { tree.bytes(of: payload) }
}

extension ListTree {
  /// Returns the range from the first to the last part of an item in its text; `nil` if it has few
  /// parts.
  fileprivate func partsRange(of record: ItemRecord) -> Range<Int>? {
    guard record.parts > 0, let first = parts[record.parts].first?.payload,
      let last = parts[record.parts].last?.payload, rowCount(of: record) > 16
    else { return nil }
    return Int(first.start)..<Int(last.start + last.length)
  }
}
