import ListDiff

/// One part of an item, which shows as a row of its own.
package struct Part: Sendable {
  /// What tells it from the item's other parts.
  package var key: UInt32
  package var payload: Payload
  /// The key of its template plus one, 0 for the default.
  package var template: UInt32

  package init(key: UInt32, payload: Payload, template: UInt32) {
    self.key = key
    self.payload = payload
    self.template = template
  }
}

/// The rows of a snapshot in which some items have parts.
package struct Parts: Sendable {
  package private(set) var items = ItemRows()

  /// By section the index of its first row, and at the end the number of rows.
  package private(set) var sectionStarts: [Int32] = []

  /// By row the text of the part, or of the item where the row is the item itself.
  package private(set) var payloads: [Payload] = []

  /// By row the key of its template plus one, 0 for the default.
  package private(set) var templates: [UInt32] = []

  /// By row its item.
  package private(set) var owners: [Int32] = []

  /// The memory that the rows take, in bytes.
  var footprint: Int {
    items.starts.footprint + items.keys.footprint + sectionStarts.footprint + payloads.footprint
      + templates.footprint + owners.footprint
  }

  init(itemCount: Int, _ templates: [UInt32], _ payloads: [Payload]) {
    catchUp(to: itemCount, templates, payloads)
  }

  /// Makes a row of each item up to `count` that has none yet and no parts.
  mutating func catchUp(to count: Int, _ templates: [UInt32], _ payloads: [Payload]) {
    for item in items.starts.count - 1..<max(count, items.starts.count - 1) {
      let template = templates.isEmpty ? 0 : templates[item]
      append(
        CollectionOfOne(
          Part(key: ItemRows.whole, payload: payloads[item], template: template)))
    }
  }

  /// Takes away the rows of the items from `item` on.
  mutating func removeItems(from item: Int) {
    guard item < items.starts.count - 1 else { return }
    let row = Int(items.starts[item])
    items.starts.removeSubrange((item + 1)...)
    items.keys.removeSubrange(row...)
    payloads.removeSubrange(row...)
    templates.removeSubrange(row...)
    owners.removeSubrange(row...)
  }

  /// Notes where the sections' rows begin, from where their items do.
  mutating func endSections(_ starts: [Int32]) {
    sectionStarts = starts.map { items.starts[Int($0)] }
  }

  /// Changes where the texts of all rows are, each told with its item.
  mutating func changePayloads(_ change: (Int, inout Payload) -> Void) {
    for row in payloads.indices { change(Int(owners[row]), &payloads[row]) }
  }

  /// The parts that rows show.
  func parts(at rows: Range<Int>) -> [Part] {
    rows.map { Part(key: items.keys[$0], payload: payloads[$0], template: templates[$0]) }
  }

  /// Makes a row of each part of the next item.
  mutating func append(_ parts: some Collection<Part>) {
    let item = Int32(truncatingIfNeeded: items.starts.count - 1)
    for part in parts {
      items.keys.append(part.key)
      payloads.append(part.payload)
      templates.append(part.template)
      owners.append(item)
    }
    items.starts.append(Int32(truncatingIfNeeded: items.keys.count))
  }
}

extension Snapshot {
  /// The number of rows.
  package var rowCount: Int { parts?.payloads.count ?? payloads.count }

  /// By section the index of its first row, and at the end the number of rows.
  package var rowStarts: [Int32] { parts?.sectionStarts ?? arrangement.starts }

  /// The item that a row shows.
  package func item(ofRow row: Int) -> Int { parts.map { Int($0.owners[row]) } ?? row }

  /// The rows of an item; where it has none, the empty range at which one would be.
  package func rows(ofItem item: Int) -> Range<Int> { (parts?.items).rows(ofItem: item) }

  /// Whether a row is a part of its item and not the item itself.
  package func isPart(_ row: Int) -> Bool { (parts?.items).key(ofRow: row) != ItemRows.whole }

  /// The key of a row's template plus one, 0 for the default.
  package func template(ofRow row: Int) -> UInt32 {
    parts?.templates[row] ?? template(ofItem: row)
  }

  /// The text of a row: that of a part, or of the item where the row is the item itself.
  package func payload(ofRow row: Int) -> Payload { parts?.payloads[row] ?? payloads[row] }

  /// The section and the row in it of a flat row.
  ///
  /// - Complexity: O(log *s*), where *s* is the number of sections.
  package func path(ofRow row: Int) -> Path {
    let starts = rowStarts
    let section = starts.section(ofRow: row)
    return Path(section: section, row: row - Int(starts[section]))
  }

  /// The place of an item's first row, or where it would be.
  ///
  /// - Complexity: O(log *s*), where *s* is the number of sections.
  package func path(ofItem item: Int) -> Path {
    let section = section(ofItem: item)
    return Path(
      section: section, row: rows(ofItem: item).lowerBound - Int(rowStarts[section]))
  }

  /// The flat row at a place, `nil` where there is none.
  package func row(section: Int, _ row: Int) -> Int? {
    guard section >= 0, section < sections.count, row >= 0 else { return nil }
    let starts = rowStarts
    return row < starts[section + 1] - starts[section] ? Int(starts[section]) + row : nil
  }
}
