import ListDiff

/// A list shown in a terminal, a row in each line, and updated by inserting and deleting lines.
///
/// The terminal shifts the lines of kept rows, and only new and changed lines are written. Uses
/// escape sequences of the VT102, which all common terminals support.
///
/// ```swift
/// var list = TerminalList<ProcessRow>(height: 24, width: 80)
/// let sequences = list.show(processes) { "\($0.id) \($0.name)" }
/// ```
public struct TerminalList<Item: Identifiable & Equatable> {
  /// The number of lines of the list, from the first line of the screen on.
  public let height: Int

  /// The maximum number of characters in a line.
  ///
  /// Longer texts are truncated.
  public let width: Int

  /// The index of the row in the first line.
  ///
  /// Lines after the last row are empty.
  public var top = 0

  private var items: [Item] = []
  private var isShown = false

  /// The text of each line on the screen.
  private var lines: [String]

  /// Creates a list that begins at the first line of the screen.
  ///
  /// - Precondition: `height` is positive, and `width` is not negative.
  public init(height: Int, width: Int) {
    precondition(height > 0 && width >= 0)
    self.height = height
    self.width = width
    lines = Array(repeating: "", count: height)
  }

  /// Returns the output that makes a terminal show these items.
  ///
  /// Control characters in texts are replaced by question marks.
  ///
  /// - Complexity: That of `Changes(from:to:)`, and O(*k* `height`) for *k* operations.
  public mutating func show(_ new: [Item], text: (Item) -> String) -> String {
    var output = isShown ? "" : "\u{1B}[H\u{1B}[J"
    isShown = true
    let ops = Changes(from: items, to: new).sequence.ops
    // Lines below the list must not be shifted.
    if !ops.isEmpty { output += "\u{1B}[1;\(height)r" }
    for op in ops {
      switch op {
      case .deleteItems(let at, let count): delete(at.row, count, &output)
      case .insertItems(let at, let count): insert(at.row, count, &output)
      case .moveItems(let from, let to, let count):
        delete(from.row, count, &output)
        insert(to.row, count, &output)
      default: break  // Updates are written below.
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
