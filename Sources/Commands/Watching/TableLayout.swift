import Terminals

/// Where the columns of a live table are. Columns that have become wider stay so.
struct TableLayout {
  /// A column on the screen.
  struct Place {
    let column: TablePage.Column
    let x: Int
    let width: Int

    /// Whether all values are numbers, which end at the same column of the screen.
    let isNumeric: Bool

    var columns: Range<Int> { x..<x + width }
  }

  private var columns: [TablePage.Column] = []

  /// The largest widths of values, and whether all values are numbers.
  private var widths: [Int] = []
  private var areNumbers: [Bool] = []

  /// The number of columns that are left out at the left.
  var skipped = 0

  /// The columns of the screen between two places, and the least width of a cut column.
  private static let (gap, least) = (2, 4)

  /// The longest text that is measured. Longer ones are cut anyway.
  private static let mostCharacters = 2000

  /// Whether there are titles.
  var hasTitles: Bool { columns.contains { !$0.title.isEmpty } }

  /// The width of the marks before the first column.
  static func gutter(_ width: Int) -> Int { width >= 36 ? 7 : width >= 16 ? 2 : width >= 8 ? 1 : 0 }

  /// Takes the columns of a table.
  mutating func set(_ columns: [TablePage.Column]) {
    guard columns != self.columns else { return }
    self.columns = columns
    skipped = min(skipped, max(0, columns.count - 1))
    // A title may have the sign of its order behind it.
    widths = columns.map { $0.title.isEmpty ? 0 : Frame.columns(of: $0.title) + 1 }
    areNumbers = columns.map { _ in true }
  }

  /// Measures the values of a row.
  mutating func measure(_ row: MessagePart) {
    for (index, column) in columns.enumerated() {
      let text = row.cell(column.path)
      guard !text.isEmpty else { continue }
      widths[index] = max(widths[index], Frame.columns(of: text.prefix(Self.mostCharacters)))
      if areNumbers[index], Double(text) == nil { areNumbers[index] = false }
    }
  }

  /// The width that all columns need.
  var naturalWidth: Int {
    widths.reduce(0) { $0 + $1 + Self.gap } - Self.gap
  }

  /// Returns the places of the columns between two columns of the screen. The last column has what the
  /// others leave, and the widest ones are cut if that is too little.
  func places(from start: Int, to end: Int) -> [Place] {
    let shown = Array(columns.indices.dropFirst(skipped))
    guard let last = shown.last, start < end else { return [] }
    let room = end - start - (shown.count - 1) * Self.gap
    let rest = min(widths[last], max(10, room / 3))
    var cap = shown.dropLast().map { widths[$0] }.max() ?? 0
    func sum(_ cap: Int) -> Int { shown.dropLast().reduce(0) { $0 + min(widths[$1], cap) } }
    while cap > Self.least, sum(cap) + rest > room { cap -= 1 }
    var places: [Place] = []
    var x = start
    for index in shown where x < end {
      let width = index == last ? end - x : min(widths[index], cap, end - x)
      let isNumeric = areNumbers[index]
      let used = index == last && isNumeric ? min(width, widths[index]) : width
      places.append(Place(column: columns[index], x: x, width: used, isNumeric: isNumeric))
      x += width + Self.gap
    }
    return places
  }
}
