import ListDiff
import ListStages

/// A part of an item, which is shown as a row of its own.
package struct Part: Sendable {
  /// The key, which distinguishes the part from the item's other parts.
  package var key: UInt32
  package var payload: Payload
  /// The key of the template plus one, 0 for the default template.
  package var template: UInt32

  package init(key: UInt32, payload: Payload, template: UInt32) {
    self.key = key
    self.payload = payload
    self.template = template
  }
}

/// The rows of a snapshot in which some items have parts.
@usableFromInline
package struct Parts: Sendable {
  package private(set) var items = ItemRows()

  /// The index of the first row of each section, followed by the number of rows.
  package private(set) var sectionStarts: [Int32] = []

  /// The text of each row: of the part, or of the item if the row is the item itself.
  package private(set) var payloads: [Payload] = []

  /// The key of each row's template plus one, 0 for the default template.
  package private(set) var templates: [UInt32] = []

  /// The item of each row.
  package private(set) var owners: [Int32] = []

  /// The memory that the rows take, in bytes.
  var footprint: Int {
    items.starts.footprint + items.keys.footprint + sectionStarts.footprint + payloads.footprint
      + templates.footprint + owners.footprint
  }

  init(itemCount: Int, _ templates: [UInt32], _ payloads: [Payload]) {
    appendItems(to: itemCount, templates, payloads)
  }

  /// Appends a row for each item below `count` that has not been added. These items have no parts.
  mutating func appendItems(to count: Int, _ templates: [UInt32], _ payloads: [Payload]) {
    for item in items.starts.count - 1..<max(count, items.starts.count - 1) {
      let template = templates.isEmpty ? 0 : templates[item]
      append([Part(key: ItemRows.whole, payload: payloads[item], template: template)])
    }
  }

  /// Removes the rows of the items from `item` on.
  mutating func removeItems(from item: Int) {
    guard item < items.starts.count - 1 else { return }
    let row = Int(items.starts[item])
    items.starts.removeSubrange((item + 1)...)
    items.keys.removeSubrange(row...)
    payloads.removeSubrange(row...)
    templates.removeSubrange(row...)
    owners.removeSubrange(row...)
  }

  /// Sets the first row of each section from its first item.
  mutating func setSectionStarts(_ starts: [Int32]) {
    sectionStarts = starts.map { items.starts[Int($0)] }
  }

  /// Calls `change` with the item and the text of each row.
  mutating func changePayloads(_ change: (Int, inout Payload) -> Void) {
    for row in payloads.indices { change(Int(owners[row]), &payloads[row]) }
  }

  /// Returns the parts in some rows.
  func parts(at rows: Range<Int>) -> [Part] {
    rows.map { Part(key: items.keys[$0], payload: payloads[$0], template: templates[$0]) }
  }

  /// Returns the parts of an item with texts that start relative to its own, or `nil` if it has none.
  func parts(ofItem item: Int, in text: Payload) -> [Part]? {
    let rows = Int(items.starts[item])..<Int(items.starts[item + 1])
    if rows.count == 1, items.keys[rows.lowerBound] == ItemRows.whole { return nil }
    return rows.map { row in
      var payload = payloads[row]
      payload.start -= text.start
      payload.buffer = 0
      return Part(key: items.keys[row], payload: payload, template: templates[row])
    }
  }

  /// Appends a row for each part of the next item.
  mutating func append(_ parts: [Part]) {
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

extension Parts {
  /// Appends the rows of items of other parts. Their texts are in the first buffer, `shift` bytes after
  /// their offsets there.
  ///
  /// - Complexity: O(*n*), where *n* is the number of rows.
  fileprivate mutating func append(_ range: Range<Int>, of other: Parts, shift: UInt32) {
    let starts = other.items.starts
    let rows = Int(starts[range.lowerBound])..<Int(starts[range.upperBound])
    let rowShift = Int32(truncatingIfNeeded: payloads.count - rows.lowerBound)
    let itemShift = Int32(truncatingIfNeeded: items.starts.count - 1 - range.lowerBound)
    items.starts.append(
      contentsOf: starts[range.lowerBound + 1..<range.upperBound + 1].lazy.map { $0 + rowShift })
    items.keys.append(contentsOf: other.items.keys[rows])
    payloads.append(
      contentsOf: other.payloads[rows].lazy.map { payload in
        var payload = payload
        payload.start &+= shift
        payload.buffer = 0
        return payload
      })
    templates.append(contentsOf: other.templates[rows])
    owners.append(contentsOf: other.owners[rows].lazy.map { $0 + itemShift })
  }
}

extension Snapshot {
  /// Sets the rows of the last items, which are items with other parts. Their texts are in the first buffer,
  /// `shift` bytes after their offsets there.
  mutating func appendRows(of items: Range<Int>, of other: Parts, shift: UInt32) {
    let (templates, payloads) = (templates, payloads)
    let first = payloads.count - items.count
    if parts == nil { parts = Parts(itemCount: first, templates, payloads) }
    parts?.appendItems(to: first, templates, payloads)
    parts?.append(items, of: other, shift: shift)
  }

  /// Sets the rows of an item: one for each part. No later item has parts yet.
  mutating func setParts(_ list: [Part], ofItem item: Int) {
    let (templates, payloads) = (templates, payloads)
    if parts == nil { parts = Parts(itemCount: item, templates, payloads) }
    parts?.appendItems(to: item, templates, payloads)
    parts?.append(list)
  }

  /// Adds the rows of the last items, which have no parts, if any item has parts.
  mutating func finishParts() {
    if parts == nil { return }
    let (templates, payloads) = (templates, payloads)
    parts?.appendItems(to: payloads.count, templates, payloads)
    let starts = arrangement.starts
    parts?.setSectionStarts(starts)
  }

  /// The number of rows.
  package var rowCount: Int { parts?.payloads.count ?? payloads.count }

  /// The index of the first row of each section, followed by the number of rows.
  package var rowStarts: [Int32] { parts?.sectionStarts ?? arrangement.starts }

  /// Returns the item of a row.
  package func item(ofRow row: Int) -> Int { parts.map { Int($0.owners[row]) } ?? row }

  /// Returns the rows of an item. If it has none, the range is empty and starts at the next item's
  /// rows.
  package func rows(ofItem item: Int) -> Range<Int> { (parts?.items).rows(ofItem: item) }

  /// Reports whether a row is a part and not an item itself.
  package func isPart(_ row: Int) -> Bool { (parts?.items).key(ofRow: row) != ItemRows.whole }

  /// Returns the key of a row's template plus one, 0 for the default template.
  package func template(ofRow row: Int) -> UInt32 {
    parts?.templates[row] ?? template(ofItem: row)
  }

  /// Returns the text of a row: of the part, or of the item if the row is the item itself.
  package func payload(ofRow row: Int) -> Payload { parts?.payloads[row] ?? payloads[row] }

  /// Returns the section and row of a flat row.
  ///
  /// - Complexity: O(log *s*), where *s* is the number of sections.
  package func path(ofRow row: Int) -> Path {
    let starts = rowStarts
    let section = starts.section(ofRow: row)
    return Path(section: section, row: row - Int(starts[section]))
  }

  /// Returns the section of an item.
  ///
  /// - Complexity: O(log *s*), where *s* is the number of sections.
  package func section(ofItem item: Int) -> Int { arrangement.starts.section(ofRow: item) }

  /// Returns the path of an item's first row, or of the next row if the item has none.
  ///
  /// - Complexity: O(log *s*), where *s* is the number of sections.
  package func path(ofItem item: Int) -> Path {
    let section = section(ofItem: item)
    return Path(
      section: section, row: rows(ofItem: item).lowerBound - Int(rowStarts[section]))
  }

  /// Returns the flat row at a section and row, or `nil` if there is none.
  package func row(section: Int, _ row: Int) -> Int? {
    guard section >= 0, section < sections.count, row >= 0 else { return nil }
    let starts = rowStarts
    return row < starts[section + 1] - starts[section] ? Int(starts[section]) + row : nil
  }
}
