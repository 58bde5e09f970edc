import ByteBuffers

/// A merge of three tables of delimited text, by rows and columns.
struct DelimitedMerge {
  private let base: RecordTable
  private let ours: RecordTable
  private let theirs: RecordTable
  private let choice: RecordMerge.Side
  private let delimiter: UInt8
  private(set) var conflicts = 0

  /// The columns of the result, as names, or as numbers if they have none.
  private var columns: [[UInt8]] = []

  init(
    _ base: RecordTable, _ ours: RecordTable, _ theirs: RecordTable, by delimiter: UInt8,
    choosing choice: RecordMerge.Side
  ) {
    self.base = base
    self.ours = ours
    self.theirs = theirs
    self.delimiter = delimiter
    self.choice = choice
  }

  /// Returns the merged records, the names of columns first.
  ///
  /// - Throws: If a key repeats, or one side has deleted a column in which the other has changed
  ///   something.
  mutating func merged() throws(ComparisonFailure) -> [[UInt8]] {
    let tables = [base, ours, theirs]
    let names = tables.map { Self.names(of: $0) }
    columns = MergedOrder.of(names[0], names[1], names[2]).filter { name in
      !names[0].contains(name) || names[1].contains(name) && names[2].contains(name)
    }
    var rows: [[[UInt8]: Int]] = []
    var keys: [[[UInt8]]] = []
    for table in tables {
      let all = table.rows.indices.map { row in Array(table.key(ofRow: row)) }
      keys.append(all)
      rows.append(Dictionary(zip(all, all.indices)) { first, _ in first })
      guard rows.last!.count == all.count else { throw table.failure("a key repeats") }
    }
    var result: [[UInt8]] = []
    for key in MergedOrder.of(keys[0], keys[1], keys[2]) {
      let record = try merged(rows[0][key], rows[1][key], rows[2][key], names)
      if let record { result.append(record) }
    }
    return result
  }

  private static func names(of table: RecordTable) -> [[UInt8]] {
    if !table.columns.isEmpty { return table.columns.map { Array($0.utf8) } }
    let count = table.rows.map { table.fields(of: $0).count }.max() ?? 0
    return (0..<count).map { Array("\($0)".utf8) }
  }

  private mutating func merged(
    _ b: Int?, _ o: Int?, _ t: Int?, _ names: [[[UInt8]]]
  ) throws(ComparisonFailure) -> [UInt8]? {
    let old = Fields(base, b, names[0])
    let (left, right) = (Fields(ours, o, names[1]), Fields(theirs, t, names[2]))
    guard let left, let right else {
      guard let present = left ?? right else { return nil }
      guard let old else { return try record(nil, present, present) }
      // One side has deleted the row.
      if present == old { return nil }
      conflicts += 1
      let chosen = choice == .base ? old : choice == .ours ? left : right
      return if let chosen { try record(old, chosen, chosen) } else { nil }
    }
    let earlier = conflicts
    let merged = try record(old, left, right)
    // A row that both sides have inserted is not in the base.
    return choice == .base && old == nil && conflicts > earlier ? nil : merged
  }

  private mutating func record(
    _ old: Fields?, _ left: Fields, _ right: Fields
  ) throws(ComparisonFailure) -> [UInt8] {
    for side in [left, right] {
      for (name, value) in side.values where !columns.contains(name) {
        guard old.map({ $0.value(name) == value }) ?? value.isEmpty else {
          throw ComparisonFailure("a column was deleted in which something has changed")
        }
      }
    }
    if left.isHeader {
      return Array(
        columns.map { left.field($0) ?? right.field($0) ?? [] }.joined(separator: [delimiter]))
    }
    var fields: [[UInt8]] = []
    for name in columns {
      let (a, b) = (left.value(name), right.value(name))
      let isSame = a == b || b == nil || old.map { $0.value(name) == b } ?? false
      if isSame, a != nil || b == nil {
        fields.append(left.field(name) ?? [])
      } else if a == nil || old.map({ $0.value(name) == a }) ?? false {
        fields.append(right.field(name) ?? [])
      } else {
        conflicts += 1
        let chosen = choice == .base ? old : choice == .ours ? left : right
        fields.append(chosen?.field(name) ?? [])
      }
    }
    // Records may have fewer fields than there are columns.
    let count = max(left.count, right.count)
    if left.names == columns, right.names == columns, count < fields.count {
      fields.removeLast(fields.count - count)
    }
    return Array(fields.joined(separator: [delimiter]))
  }

  /// The fields of a row, by the names of columns.
  private struct Fields: Equatable {
    let names: [[UInt8]]
    let isHeader: Bool
    let count: Int
    private var fields: [[UInt8]: [UInt8]] = [:]
    private(set) var values: [[UInt8]: [UInt8]] = [:]

    init?(_ table: RecordTable, _ row: Int?, _ names: [[UInt8]]) {
      guard let row else { return nil }
      self.names = names
      isHeader = table.isHeader(row)
      let ranges = table.fields(of: table.rows[row])
      count = ranges.count
      for (index, range) in ranges.enumerated() {
        // A record may have more fields than there are names.
        let name = index < names.count ? names[index] : [0] + Array("\(index)".utf8)
        fields[name] = Array(table.bytes(range))
        values[name] = table.valueBytes(range)
      }
    }

    /// The value of a column; nil if the row has none.
    func value(_ name: [UInt8]) -> [UInt8]? { values[name] }

    /// The value as it is written.
    func field(_ name: [UInt8]) -> [UInt8]? { fields[name] }

    static func == (left: Fields, right: Fields) -> Bool { left.values == right.values }
  }
}
