import ListCompare

/// The part of a live table that fits on the screen.
struct TablePage {
  /// A column, and the bytes of its member's path.
  struct Column: Equatable {
    let title: String
    let member: String
    let path: [UInt8]

    init(_ column: TableColumn) {
      title = column.title
      member = column.member
      path = Array(column.member.utf8)
    }
  }

  struct Row {
    /// The index in the view, and the position.
    var number: Int
    var path: RowMarks.Path
    var identity: String
    var content: MessagePart
    var isMarked = false
    var hasCursor = false
  }

  enum Line {
    case heading(String)
    case row(Row)
    /// A deleted row.
    case gone(MessagePart)
  }

  var lines: [Line] = []

  /// The rows of the view, and of all rows those that are there and that are marked.
  var rows = 0
  var total = 0
  var marked = 0

  /// The index of the first row, and of the row with the cursor.
  var top = 0
  var cursor: Int?

  /// The text that identifies a row's item: its `id`, or all of it.
  static func identity(of content: MessagePart) -> String { (content["id"] ?? content).json }
}
