import ListDiff
import SumTrees

/// The rows of the items: one for each part, none for an item with an empty list of parts, and one
/// for an item without such a list.
extension ListTree {
  /// A row of an item.
  struct RowLocation {
    var item: Location

    /// The index of the row among those of its item.
    var row: Int
  }

  /// Returns the number of rows of an item.
  func rowCount(of record: ItemRecord) -> Int { parts.rowCount(record.parts) }

  /// Returns the number of rows of the items before one in its leaf.
  func rowsBefore(_ location: Location) -> Int {
    guard !parts.isEmpty else { return location.index }
    var rows = 0
    for index in 0..<location.index {
      rows += parts.rowCount(leaves[location.leaf].parts(at: index))
    }
    return rows
  }

  /// Returns the indices in the list of an item's rows. If it has none, the range is empty and
  /// starts at the next item's rows.
  ///
  /// - Complexity: O(log *n*).
  func rows(of location: Location) -> Range<Int> {
    let (section, before) = forest.position(of: location.leaf)
    let first = order.position(of: section).before.rows + before.rows + rowsBefore(location)
    return first..<first + parts.rowCount(leaves[location.leaf].parts(at: location.index))
  }

  /// Returns the index in the list of an item's first row, or `nil` if it has none.
  func firstRow(of location: Location) -> Int? { rows(of: location).first }

  /// Returns the location of a row of a section.
  ///
  /// - Complexity: O(log *n*).
  func location(section: Int, row: Int) -> RowLocation? {
    guard let (leaf, before) = forest.find(row, .rows, inTree: section) else { return nil }
    var left = row - before.rows
    guard !parts.isEmpty else {
      return RowLocation(item: Location(leaf: leaf, index: left), row: 0)
    }
    for index in 0..<leaves[leaf].count {
      let count = parts.rowCount(leaves[leaf].parts(at: index))
      if left < count { return RowLocation(item: Location(leaf: leaf, index: index), row: left) }
      left -= count
    }
    preconditionFailure("a leaf has the rows that its sums count")
  }

  /// Returns the location of a row of the list.
  ///
  /// - Complexity: O(log *n*).
  func location(ofRow row: Int) -> RowLocation? {
    guard let (section, before) = order.find(row, .rows, inTree: 0) else { return nil }
    return location(section: section, row: row - before.rows)
  }

  /// Returns the key of the item of a row of the list.
  func key(ofRow row: Int) -> UInt32? { location(ofRow: row).map { record(at: $0.item).key } }

  /// Returns the flat row that a reference to an item at a location names, which is the row at a path
  /// or the first row of the item, or `nil` if there is none.
  func row(of reference: ItemReference, at item: Location?) -> Int? {
    if case .path(let section, let row, nil) = reference { return self.row(section: section, row) }
    guard let item else { return nil }
    return firstRow(of: item)
  }

  /// Returns the flat row at a section and row, or `nil` if there is none.
  ///
  /// - Complexity: O(log *s*).
  func row(section: Int, _ row: Int) -> Int? {
    guard row >= 0, let (element, before) = order.find(section, .elements, inTree: 0),
      row < forest.sums(ofTree: element).rows
    else { return nil }
    return before.rows + row
  }

  /// Returns the section and row of a row of the list.
  ///
  /// - Complexity: O(log *s*).
  func path(ofRow row: Int) -> Path? {
    guard let (section, before) = order.find(row, .rows, inTree: 0) else { return nil }
    return Path(section: index(ofSection: section), row: row - before.rows)
  }

  /// Returns the part that is a row, with its text in the buffer of its item's; `nil` if the item
  /// is the row.
  func part(at row: Int, of record: ItemRecord) -> Part? {
    guard record.parts > 0 else { return nil }
    return parts[record.parts][row].inside(record.payload)
  }

  /// Returns an item of a snapshot, whose buffers have numbers in the tree.
  mutating func record(of item: Int, _ snapshot: Snapshot, _ buffers: [UInt32]) -> ItemRecord {
    var payload = snapshot.payloads[item]
    payload.buffer = buffers[Int(payload.buffer)]
    return ItemRecord(
      key: snapshot.arrangement.rows[item], payload: payload,
      details: ItemDetails(
        template: snapshot.template(ofItem: item),
        parts: snapshot.parts(ofItem: item).map { parts.number(of: $0) } ?? 0),
      traits: snapshot.traits[item].subtracting([.selected, .hidden]))
  }

  /// Returns an item of another tree as one of this tree, which gets its text and its parts.
  mutating func adopt(_ record: ItemRecord, from other: ListTree) -> ItemRecord {
    var record = record
    record.payload.buffer = texts.number(of: other.texts.buffers[Int(record.payload.buffer)])
    record.parts = adoptParts(of: record, from: other)
    return record
  }

  /// Returns the number that the parts of another tree's item have in this tree, to which they are
  /// added.
  mutating func adoptParts(of record: ItemRecord, from other: ListTree) -> UInt32 {
    record.parts == 0 ? 0 : parts.number(of: other.parts[record.parts])
  }

  /// Adds the parts of a snapshot's items, and returns the templates and parts of all items; an empty
  /// array if all are the default.
  mutating func addDetails(of snapshot: Snapshot) -> [ItemDetails] {
    let (templates, own) = (snapshot.templates, snapshot.parts)
    if templates.isEmpty, own == nil { return [] }
    // A snapshot without texts has no payloads.
    var details = snapshot.arrangement.rows.indices.map {
      ItemDetails(template: templates.isEmpty ? 0 : templates[$0])
    }
    guard let own else { return details }
    let payloads = snapshot.payloads
    // Changed in place, and not through the tree for each item.
    var table = PartTable()
    swap(&table, &parts)
    for item in payloads.indices {
      guard let parts = own.parts(ofItem: item, in: payloads[item]) else { continue }
      details[item].parts = table.number(of: parts)
      table.add(details[item].parts)
    }
    swap(&table, &parts)
    return details
  }

  /// Records that an item of the tree has a text and parts.
  mutating func keepContent(_ content: ItemContent) {
    if content.payload != .empty { texts.add(content.payload) }
    if content.parts > 0 { parts.add(content.parts) }
  }

  /// Records that an item of the tree does not have a text and parts any more.
  mutating func dropContent(_ content: ItemContent) {
    if content.payload != .empty { texts.remove(content.payload) }
    if content.parts > 0 { parts.remove(content.parts) }
  }
}

extension Part {
  /// Returns a part, whose text starts relative to that of its item, with its text in the item's.
  func inside(_ item: Payload) -> Part {
    var part = self
    part.payload.start += item.start
    part.payload.buffer = item.buffer
    return part
  }
}

extension Snapshot {
  /// Returns the parts of an item, with texts that start relative to the item's; `nil` if the item
  /// is a row.
  func parts(ofItem item: Int) -> [Part]? {
    parts?.parts(ofItem: item, in: payloads[item])
  }

  /// Sets the parts of an item, with texts that start relative to the item's. No later item has
  /// parts yet.
  mutating func addParts(_ parts: [Part], ofItem item: Int) {
    setParts(parts.map { $0.inside(payloads[item]) }, ofItem: item)
  }
}

extension ListTree {
  /// Returns the numbers of items and rows in a range of a run before the change.
  func size(of run: LeafRun, _ items: Range<Int>) -> TreeSums {
    TreeSums(items: items.count, rows: parts.isEmpty ? nil : run.rowCountBefore(items, self))
  }
}
