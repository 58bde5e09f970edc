import ListDiff
import ListStages

extension TreeComparison {
  /// An item of a modified leaf, or a block of items and their rows that are equal on both sides.
  enum Entry {
    case item(ItemRecord)
    case block(key: UInt32, count: Int32, rows: Int32)

    var key: UInt32 {
      switch self {
      case .item(let record): record.key
      case .block(let key, _, _): key
      }
    }

    /// The number of items that the entry stands for.
    var count: Int {
      if case .block(_, let count, _) = self { Int(count) } else { 1 }
    }

    /// Returns the number of rows of these items.
    func rowCount(_ parts: PartTable) -> Int {
      switch self {
      case .item(let record): parts.rowCount(record.parts)
      case .block(_, _, let rows): Int(rows)
      }
    }

    /// The item, if the entry stands for a single one.
    var record: ItemRecord? {
      if case .item(let record) = self { record } else { nil }
    }
  }

  struct Side {
    /// A listed section, or the first of a run of sections that are listed as one: its number, its
    /// index in the list, and the indices in the list of its first item and of its first row.
    struct Section {
      private let numbers: SIMD4<Int32>
      private let runLength: Int32

      init(_ section: Int, index: Int, count: Int, _ first: Position) {
        numbers = SIMD4(
          Int32(truncatingIfNeeded: section), Int32(truncatingIfNeeded: index),
          Int32(truncatingIfNeeded: first.item), Int32(truncatingIfNeeded: first.row))
        runLength = Int32(truncatingIfNeeded: count)
      }

      var section: Int { Int(numbers[0]) }
      var index: Int { Int(numbers[1]) }
      var firstItem: Int { Int(numbers[2]) }
      var firstRow: Int { Int(numbers[3]) }

      /// The number of sections of the run.
      var count: Int { Int(runLength) }
    }

    /// The indices in the list of an item and of its first row.
    struct Position {
      var item = 0
      var row = 0

      static func - (a: Position, b: Position) -> Position {
        Position(item: a.item - b.item, row: a.row - b.row)
      }
    }

    private(set) var sections: [Section] = []

    private(set) var entries: [Entry] = []

    /// The keys of the sections and entries.
    private(set) var arrangement = Arrangement()

    /// The index of the first entry of each listed section, followed by the number of entries.
    var starts: [Int32] { arrangement.starts }

    /// The end of the last entry.
    private(set) var end = Position()

    /// For each entry the index of its first item in the list.
    private var firstItems: [Int32] = []

    /// The rows of the entries; `nil` if each entry is a row, because no item has parts.
    private var rows: EntryRows?

    private struct EntryRows {
      /// The rows of each entry. A block is one row, or none if its items have none.
      var shown = ItemRows()

      /// The entry of each row, and for each entry the index of its first row in the list.
      var owners: [Int32] = []
      var offsets: [Int32] = []
    }

    /// Removes all sections and entries, and keeps their memory.
    mutating func removeAll() {
      sections.removeElements()
      arrangement.sections.removeElements()
      arrangement.starts.removeElements()
      arrangement.starts.append(0)
      arrangement.rows.removeElements()
      entries.removeElements()
      firstItems.removeElements()
      end = Position()
      rows = nil
    }

    /// Reserves memory for sections and entries. Growing step by step would take up to three times
    /// the memory.
    mutating func reserve(sections count: Int, entries entryCount: Int) {
      if sections.capacity >= count, entries.capacity >= entryCount { return }
      sections.reserveCapacity(count)
      arrangement.sections.reserveCapacity(count)
      arrangement.starts.reserveCapacity(count + 1)
      arrangement.rows.reserveCapacity(entryCount)
      entries.reserveCapacity(entryCount)
      firstItems.reserveCapacity(entryCount)
    }

    /// Begins a section, whose entries are added next. ``endSection()`` ends it.
    mutating func beginSection(
      _ section: Int, key: UInt32, index: Int, count: Int = 1, at first: Position
    ) {
      sections.append(Section(section, index: index, count: count, first))
      arrangement.sections.append(key)
      end = first
    }

    /// Ends the last section.
    mutating func endSection() {
      arrangement.starts.append(Int32(truncatingIfNeeded: entries.count))
    }

    /// Adds an entry to the last section.
    mutating func add(_ entry: Entry, _ parts: PartTable) {
      entries.append(entry)
      arrangement.rows.append(entry.key)
      firstItems.append(Int32(truncatingIfNeeded: end.item))
      end.item += entry.count
      end.row += entry.rowCount(parts)
    }

    /// The key of the last entry of the last section, if that is a block.
    var lastBlock: UInt32? {
      guard entries.count > Int(starts.last!),
        case .block(let key, _, _) = entries[entries.count - 1]
      else { return nil }
      return key
    }

    /// Adds items, which are as many rows, to the last entry, which is a block.
    mutating func extendLastBlock(_ items: Int32, _ rows: Int32) {
      guard case .block(let key, let itemsBefore, let rowsBefore) = entries[entries.count - 1]
      else { preconditionFailure("the last entry is a block") }
      entries[entries.count - 1] = .block(
        key: key, count: itemsBefore + items, rows: rowsBefore + rows)
      end.item += Int(items)
      end.row += Int(rows)
    }

    /// Adds the rows of the entries.
    mutating func addRows(_ parts: PartTable) {
      var rows = EntryRows()
      rows.shown.starts.reserveCapacity(entries.count + 1)
      rows.offsets.reserveCapacity(entries.count)
      rows.shown.keys.reserveCapacity(
        entries.reduce(0) { $0 + ($1.record == nil ? 1 : $1.rowCount(parts)) })
      for (index, section) in sections.enumerated() {
        var offset = section.firstRow
        for entry in entries[entries(ofSection: index)] {
          rows.offsets.append(Int32(truncatingIfNeeded: offset))
          let count = entry.rowCount(parts)
          offset += count
          if let record = entry.record, record.parts > 0 {
            rows.shown.keys += parts[record.parts].lazy.map(\.key)
          } else if count > 0 {
            rows.shown.keys.append(ItemRows.whole)
          }
          rows.shown.starts.append(Int32(truncatingIfNeeded: rows.shown.keys.count))
        }
      }
      rows.owners.reserveCapacity(rows.shown.keys.count)
      for entry in entries.indices {
        let count = rows.shown.starts[entry + 1] - rows.shown.starts[entry]
        rows.owners.append(
          contentsOf: repeatElement(Int32(truncatingIfNeeded: entry), count: Int(count)))
      }
      self.rows = rows
    }

    /// The index in the list after the last section, if all sections are listed.
    var sectionCount: Int { sections.last.map { $0.index + $0.count } ?? 0 }

    /// The index in the list of each listed section, followed by that after the last one.
    var sectionStarts: [Int32] {
      sections.map { Int32(truncatingIfNeeded: $0.index) }
        + [Int32(truncatingIfNeeded: sectionCount)]
    }

    /// The numbers of sections that the listed sections stand for.
    var sectionCounts: [Int32] { sections.map { Int32(truncatingIfNeeded: $0.count) } }

    /// Returns the entries of a listed section.
    func entries(ofSection section: Int) -> Range<Int> {
      Int(starts[section])..<Int(starts[section + 1])
    }

    /// Returns the indices in the list of the items of an entry.
    func items(ofEntry entry: Int) -> Range<Int> {
      let first = Int(firstItems[entry])
      return first..<first + entries[entry].count
    }

    /// The numbers of items of the entries.
    var itemCounts: [Int32] { entries.map { Int32(truncatingIfNeeded: $0.count) } }

    /// Frees the keys of the entries, which only pairing needs.
    mutating func freeKeys() { arrangement.rows = [] }

    // MARK: Rows

    /// The rows of the entries; `nil` if each entry is a row.
    var shown: ItemRows? { rows?.shown }

    /// Whether an item may have parts.
    var hasParts: Bool { rows != nil }

    /// The index of the first row of each listed section, followed by the number of rows.
    var rowStarts: [Int32] {
      guard let shown else { return starts }
      return starts.map { shown.starts[Int($0)] }
    }

    /// The numbers of rows of the list that the rows stand for.
    var rowCounts: [Int32] {
      guard let shown else { return itemCounts }
      return shown.keys.indices.map { Int32(truncatingIfNeeded: count(ofRow: $0)) }
    }

    /// Returns the entry of a row.
    func entry(ofRow row: Int) -> Int { rows == nil ? row : Int(rows!.owners[row]) }

    /// Returns the item of a row, or `nil` if the row stands for a block.
    func record(ofRow row: Int) -> ItemRecord? { entries[entry(ofRow: row)].record }

    /// Returns the index of a row among those of its entry.
    func index(ofRow row: Int) -> Int {
      rows == nil ? 0 : row - Int(rows!.shown.starts[entry(ofRow: row)])
    }

    /// Returns the number of rows of the list that a row stands for.
    func count(ofRow row: Int) -> Int {
      if case .block(_, _, let rows) = entries[entry(ofRow: row)] { Int(rows) } else { 1 }
    }

    /// Returns the index in the list of the first row that a row stands for.
    func offset(ofRow row: Int) -> Int {
      firstRow(ofEntry: entry(ofRow: row)) + index(ofRow: row)
    }

    /// Returns the index in the list of an entry's first row.
    func firstRow(ofEntry entry: Int) -> Int {
      Int(rows == nil ? firstItems[entry] : rows!.offsets[entry])
    }
  }
}

extension Array {
  /// Removes all elements and keeps the memory. A few are removed faster one by one.
  mutating func removeElements() {
    if count > 8 { return removeAll(keepingCapacity: true) }
    while popLast() != nil {}
  }
}
