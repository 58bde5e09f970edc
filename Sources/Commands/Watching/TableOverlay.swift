import Terminals

/// What is shown instead of the rows of a live table.
enum TableOverlay {
  /// The keys, and the row with the cursor, from a line on.
  case keys(top: Int)
  case row(top: Int)

  /// The columns, one of which is chosen.
  case choice(Choice, index: Int)

  enum Choice {
    case order, groups
  }

  /// The titles of a choice; the first one means none.
  static func titles(_ choice: Choice, _ columns: [TablePage.Column]) -> [String] {
    let first = choice == .order ? "(as they were read)" : "(no groups)"
    return [first] + columns.map { $0.title.isEmpty ? $0.member : $0.title }
  }

  private static let keys = [
    ("↑ ↓ j k", "the row above or below"), ("PgUp PgDn", "a page up or down"),
    ("Home End", "the first or last row"), ("← →", "the columns at the left or right"),
    ("/", "only rows that match a query; Esc ends it"),
    ("s", "sort by a column; again: the other way round"), ("g", "group by a column"),
    ("Enter", "the whole row"), ("Space", "mark the row"),
    ("p", "pause, and go on"), ("h l", "an earlier or a later reading"),
    ("Esc", "back: to the table, the first row, all rows, now"),
    ("Ctrl-L", "draw the screen again"),
    ("?", "these keys"), ("q", "end"),
  ]

  /// The lines that describe the keys.
  static func keyLines(width: Int) -> [String] {
    keys.flatMap { key, words in
      let head = key + String(repeating: " ", count: max(1, 11 - Frame.columns(of: key)))
      return Frame.lines(of: head + words, width: width)
    }
  }

  /// The lines of a row: its columns, each from a line of its own on.
  static func lines(
    of row: TablePage.Row, _ columns: [TablePage.Column], width: Int
  ) -> [String] {
    let titles = columns.map { $0.title }
    let widest = titles.map { Frame.columns(of: $0) }.max() ?? 0
    let indent = min(widest + (widest > 0 ? 2 : 0), width / 2)
    return columns.flatMap { column -> [String] in
      let title = Frame.lines(of: column.title, width: max(1, indent - 1)).first ?? ""
      let value = Frame.lines(of: row.content.cell(column.path), width: max(1, width - indent))
      let space = String(repeating: " ", count: max(0, indent - Frame.columns(of: title)))
      let blank = String(repeating: " ", count: indent)
      return value.enumerated().map { ($0 == 0 ? title + space : blank) + $1 }
    }
  }
}
