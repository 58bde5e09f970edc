/// What the last changes have done to the rows of a view.
///
/// A change is given in both directions, so that it brings the old and the new content of each row
/// that it names.
struct RowMarks {
  /// The number of ticks for which the colour of a changed cell fades.
  static let ticks = 3

  /// The position of a row in a list.
  typealias Path = (section: Int, row: Int)

  /// Consecutive rows of a section.
  private struct Rows {
    var section: Int
    let rows: Range<Int>

    init(_ path: Path, _ count: Int) {
      section = path.section
      rows = path.row..<path.row + count
    }

    func contains(_ path: Path) -> Bool { path.section == section && rows.contains(path.row) }
  }

  /// Where a row was.
  enum Origin: Equatable {
    /// At its place, or moved only because others did.
    case here
    /// So many rows further down in its section, or further up if negative.
    case moved(Int)
    /// In another section.
    case elsewhere
    /// Nowhere.
    case nowhere
  }

  /// The ticks since each cell changed, by the row's identity and the member.
  private var cells: [String: [String: Int]] = [:]
  private var inserted: [Rows] = []
  private var moved: [(to: Rows, from: Path)] = []
  private var deleted: [Rows] = []

  /// The numbers of rows that the last change has inserted, deleted, moved and changed.
  private(set) var counts = (inserted: 0, deleted: 0, moved: 0, changed: 0)

  /// Whether nothing is marked.
  var isEmpty: Bool { cells.isEmpty && inserted.isEmpty && moved.isEmpty && deleted.isEmpty }

  /// Lets a tick pass.
  mutating func age() {
    forgetRows()
    cells = cells.compactMapValues { row in
      let younger = row.mapValues { $0 + 1 }.filter { $0.value < Self.ticks }
      return younger.isEmpty ? nil : younger
    }
  }

  /// Forgets which rows are new, gone or moved.
  mutating func forgetRows() {
    (inserted, moved, deleted) = ([], [], [])
    counts = (0, 0, 0, 0)
  }

  /// Adds a change: the result of `diff` with content, and that of the opposite direction.
  mutating func add(_ forward: MessagePart, _ backward: MessagePart, _ columns: [TablePage.Column])
  {
    if let rows = forward["counts"]?["rows"] {
      counts = (
        rows.integer("inserts") ?? 0, rows.integer("deletes") ?? 0, rows.integer("moves") ?? 0,
        rows.integer("updates") ?? 0
      )
    }
    let stages = (forward["stages"]?.elements ?? []).map { $0.elements }
    for (index, stage) in stages.enumerated() {
      for op in stage { add(op, before: stages[(index + 1)...], isFirst: index == 0) }
    }
    let old = Self.contents(backward)
    for (identity, new) in Self.contents(forward) {
      guard let old = old[identity] else { continue }
      for column in columns where old.cell(column.path) != new.cell(column.path) {
        cells[identity, default: [:]][column.member] = 0
      }
    }
  }

  /// Adds an op. Later stages move the sections of its rows.
  private mutating func add(
    _ op: MessagePart, before later: ArraySlice<[MessagePart]>, isFirst: Bool
  ) {
    let count = op.integer("count") ?? 0
    func final(_ rows: Rows) -> Rows {
      var rows = rows
      for stage in later { rows.section = Self.section(rows.section, after: stage) }
      return rows
    }
    switch op.text("op") {
    case "insertItems": inserted.append(final(Rows(op.path("at"), count)))
    case "insertSections":
      let first = op.integer("at") ?? 0
      for (index, rows) in (op["rows"]?.elements ?? []).enumerated() {
        inserted.append(final(Rows((first + index, 0), Int(rows.plain) ?? 0)))
      }
    case "moveItems": moved.append((final(Rows(op.path("to"), count)), op.path("from")))
    case "deleteItems" where isFirst: deleted.append(Rows(op.path("at"), count))
    case "deleteSections" where isFirst:
      let first = op.integer("at") ?? 0
      deleted += (first..<first + count).map { Rows(($0, 0), .max) }
    default: break
    }
  }

  /// Returns the index of a section after the ops of a stage.
  private static func section(_ section: Int, after stage: [MessagePart]) -> Int {
    var removed = 0
    var added: [(at: Int, count: Int)] = []
    for op in stage {
      let (count, at) = (op.integer("count") ?? 0, op.integer("at") ?? 0)
      switch op.text("op") {
      case "deleteSections": removed += max(0, min(count, section - at))
      case "insertSections": added.append((at, count))
      case "moveSections":
        let (from, to) = (op.integer("from") ?? 0, op.integer("to") ?? 0)
        if (from..<from + count).contains(section) { return to + section - from }
        removed += max(0, min(count, section - from))
        added.append((to, count))
      default: break
      }
    }
    var section = section - removed
    for range in added.sorted(by: { $0.at < $1.at }) where range.at <= section {
      section += range.count
    }
    return section
  }

  /// The contents of changed rows, by identity.
  private static func contents(_ change: MessagePart) -> [String: MessagePart] {
    var contents: [String: MessagePart] = [:]
    for op in change["stages"]?.elements.last?.elements ?? [] {
      guard let name = op.text("op"), name == "reconfigureItems" || name == "reloadItems" else {
        continue
      }
      for item in op["items"]?.elements ?? [] { contents[TablePage.identity(of: item)] = item }
    }
    return contents
  }

  /// Where a row of the present view was before the last change.
  func origin(of path: Path) -> Origin {
    if inserted.contains(where: { $0.contains(path) }) { return .nowhere }
    guard let (to, from) = moved.first(where: { $0.to.contains(path) }) else { return .here }
    guard from.section == path.section else { return .elsewhere }
    return .moved(from.row - to.rows.lowerBound)
  }

  /// Whether a row of the view before the last change was deleted.
  func isGone(_ path: Path) -> Bool { deleted.contains { $0.contains(path) } }

  /// The number of ticks since a cell changed; nil if it is too large.
  func age(of member: String, in identity: String) -> Int? { cells[identity]?[member] }
}

extension MessagePart {
  /// The path that a member has.
  func path(_ name: String) -> (section: Int, row: Int) {
    let numbers = (self[name]?.elements ?? []).map { Int($0.plain) ?? 0 }
    return numbers.count == 2 ? (numbers[0], numbers[1]) : (0, 0)
  }
}
