import ListDiff

/// A list in a terminal: a line for each row that fits, brought up to date by inserting and deleting
/// lines.
///
/// The terminal itself shifts the lines of rows that stay, and only lines that are new to the screen or
/// changed are written. It takes the sequences of a VT102, which every terminal has.
///
/// ```swift
/// var list = TerminalList<ProcessRow>(height: 24, width: 80)
/// let sequences = list.show(processes) { "\($0.id) \($0.name)" }
/// ```
public struct TerminalList<Item: Identifiable & Equatable> {
  /// How many lines the list has on the screen, from the first line on.
  public let height: Int

  /// How many characters fit in a line; longer texts are cut.
  public let width: Int

  /// The row that the first line shows, if the list has that many rows.
  public var top = 0

  private var items: [Item] = []
  private var isShown = false

  /// What each line of the screen shows.
  private var lines: [String]

  /// Makes a list that takes lines of the screen from the first one on.
  ///
  /// - Precondition: `height` is positive, and `width` not negative.
  public init(height: Int, width: Int) {
    precondition(height > 0 && width >= 0)
    self.height = height
    self.width = width
    lines = Array(repeating: "", count: height)
  }

  /// Returns what is to be written to a terminal so that it shows these items.
  ///
  /// Control characters of a text are shown as question marks.
  ///
  /// - Complexity: As of `Changes(from:to:)`, and O(*k* `height`) for *k* operations.
  public mutating func show(_ new: [Item], text: (Item) -> String) -> String {
    var output = isShown ? "" : "\u{1B}[H\u{1B}[J"
    isShown = true
    let ops = Changes(from: items, to: new).sequence.ops
    // What is below the list is not to be shifted.
    if !ops.isEmpty { output += "\u{1B}[1;\(height)r" }
    for op in ops {
      switch op {
      case .deleteItems(let at, let count): delete(at.row, count, &output)
      case .insertItems(let at, let count): insert(at.row, count, &output)
      case .moveItems(let from, let to, let count):
        delete(from.row, count, &output)
        insert(to.row, count, &output)
      default: break  // Lines that differ are written below.
      }
    }
    if !ops.isEmpty { output += "\u{1B}[r" }
    items = new
    for line in 0..<height {
      let wanted = new.indices.contains(top + line) ? shown(text(new[top + line])) : ""
      if lines[line] == wanted { continue }
      output += "\u{1B}[\(line + 1);1H\u{1B}[K" + wanted
      lines[line] = wanted
    }
    return output
  }

  private func shown(_ text: String) -> String {
    let isControl = { (scalar: Unicode.Scalar) in scalar.value < 32 || 127..<160 ~= scalar.value }
    return String(
      text.prefix(width).map { $0.unicodeScalars.contains(where: isControl) ? "?" : $0 })
  }

  private mutating func delete(_ row: Int, _ count: Int, _ output: inout String) {
    let line = max(row - top, 0)
    let count = min(count, height - line)
    guard count > 0 else { return }
    output += "\u{1B}[\(line + 1);1H\u{1B}[\(count)M"
    lines.removeSubrange(line..<line + count)
    lines += Array(repeating: "", count: count)
  }

  private mutating func insert(_ row: Int, _ count: Int, _ output: inout String) {
    let line = max(row - top, 0)
    let count = min(count, height - line)
    guard count > 0 else { return }
    output += "\u{1B}[\(line + 1);1H\u{1B}[\(count)L"
    lines.removeLast(count)
    lines.insert(contentsOf: Array(repeating: "", count: count), at: line)
  }
}

extension TerminalList: Sendable where Item: Sendable {}
