import ListDiff

/// A list shown in a terminal, a row in each line, and updated by inserting and deleting lines.
///
/// Headers and footers of sections are lines of their own. The terminal shifts the lines of kept rows,
/// and only new and changed lines are written. Uses escape sequences of the VT102, which all common
/// terminals support.
///
/// ```swift
/// let processes = ListSource(sections: [running])
/// let list = ListPresenter(processes, in: TerminalList(height: 24, width: 80) { output += $0 })
///   .row(ProcessRow.self) { "\($0.id) \($0.name)" }
/// ```
@MainActor
public final class TerminalList: ListDisplay {
  /// How a row is shown beside its content.
  public struct RowState: Hashable, Sendable {
    /// Whether the row is selected.
    public var isSelected = false

    /// Whether the cursor is at the row.
    public var isAtCursor = false
  }

  /// The number of lines of the list, from the first line of the screen on.
  public let height: Int

  /// The maximum number of characters in a line.
  ///
  /// Longer texts are truncated.
  public let width: Int

  /// The index of the line of the list in the first line of the screen.
  ///
  /// The list scrolls to the cursor when that moves to another row. Lines after the last one are
  /// empty.
  public var top = 0

  /// The list that is shown.
  public weak var list: (any PresentedList)?

  /// True: a terminal shows all changes.
  public var showsStages: Bool { true }

  /// Returns true: any line can show any text.
  public func canReuseView(of item: Any, for updated: Any) -> Bool { true }

  var rows = Kinds<(Any, RowState) -> String>()
  var header: (Any) -> String? = { _ in nil }
  var footer: (Any) -> String? = { _ in nil }

  private let write: (String) -> Void
  private var layout = FlatLayout()

  /// The text of each line on the screen.
  private var lines: [String]

  /// Creates a list that begins at the first line of the screen, and that `write` sends there.
  ///
  /// - Precondition: `height` is positive, and `width` is not negative.
  public init(height: Int, width: Int, write: @escaping (String) -> Void) {
    precondition(height > 0 && width >= 0)
    self.height = height
    self.width = width
    self.write = write
    lines = Array(repeating: "", count: height)
  }

  /// Moves the cursor by some rows and selects the row there, as an arrow key does.
  public func moveCursor(by distance: Int) {
    guard let list, layout.count > 0 else { return }
    var index = list.cursorPath.map { layout.index(of: $0) } ?? -1
    let step = distance < 0 ? -1 : 1
    var path: ListPath?
    var rest = abs(distance)
    while rest > 0, let line = layout.line(at: index + step) {
      index += step
      guard case .row(let found) = line else { continue }
      path = found
      rest -= 1
    }
    if let path { list.choose([path], .replace) }
  }

  // MARK: Showing

  /// Writes all lines of the screen anew.
  public func reload() {
    layout = FlatLayout(sections)
    lines = Array(repeating: "", count: height)
    write("\u{1B}[H\u{1B}[J" + updateLines())
  }

  /// Shows a stage of a change.
  public func show(_ stage: Changes.Stage, setList: @escaping () -> Void) {
    setList()
    let ops = layout.apply(stage, to: sections)
    var output = ""
    for op in ops {
      switch op {
      case .delete(let lines): delete(lines, &output)
      case .insert(let lines): insert(lines, &output)
      case .move(let lines, let to):
        delete(lines, &output)
        insert(to..<to + lines.count, &output)
      case .update: break  // Updates are written with the other lines.
      }
    }
    // Lines below the list must not be shifted.
    if !output.isEmpty { write("\u{1B}[1;\(height)r" + output + "\u{1B}[r") }
  }

  /// Writes the lines that have changed.
  public func showSelection(revealsCursor: Bool) {
    if revealsCursor, let line = list?.cursorPath.map({ layout.index(of: $0) }) {
      top = min(max(top, line - height + 1), line)
    }
    let output = updateLines()
    if !output.isEmpty { write(output) }
  }

  private var sections: [FlatLayout.Section] {
    list?.flatSections(hasHeader: { header($0) != nil }, hasFooter: { footer($0) != nil }) ?? []
  }

  private func updateLines() -> String {
    var output = ""
    let selected = Set(list?.selectedPaths ?? [])
    for line in 0..<height {
      let wanted = shown(layout.line(at: top + line).flatMap { text(of: $0, selected) } ?? "")
      if lines[line] == wanted { continue }
      output += "\u{1B}[\(line + 1);1H\u{1B}[K" + wanted
      lines[line] = wanted
    }
    return output
  }

  private func text(of line: FlatLayout.Line, _ selected: Set<ListPath>) -> String? {
    switch line {
    case .header(let section): return list?.content(ofSection: section).flatMap(header)
    case .footer(let section): return list?.content(ofSection: section).flatMap(footer)
    case .row(let path):
      guard let list, let item = list.content(at: path) else { return nil }
      guard let text = rows[item] else {
        list.warn("no row is registered for \(type(of: item))")
        return "\(item)"
      }
      return text(
        item, RowState(isSelected: selected.contains(path), isAtCursor: path == list.cursorPath))
    }
  }

  private func shown(_ text: String) -> String {
    let isControl = { (scalar: Unicode.Scalar) in scalar.value < 32 || 127..<160 ~= scalar.value }
    return String(
      text.prefix(width).map { $0.unicodeScalars.contains(where: isControl) ? "?" : $0 })
  }

  private func delete(_ deleted: Range<Int>, _ output: inout String) {
    let line = max(deleted.lowerBound - top, 0)
    let count = min(deleted.count, height - line)
    guard count > 0 else { return }
    output += "\u{1B}[\(line + 1);1H\u{1B}[\(count)M"
    lines.removeSubrange(line..<line + count)
    lines += Array(repeating: "", count: count)
  }

  private func insert(_ inserted: Range<Int>, _ output: inout String) {
    let line = max(inserted.lowerBound - top, 0)
    let count = min(inserted.count, height - line)
    guard count > 0 else { return }
    output += "\u{1B}[\(line + 1);1H\u{1B}[\(count)L"
    lines.removeLast(count)
    lines.insert(contentsOf: Array(repeating: "", count: count), at: line)
  }
}

extension ListPresenter where Display == TerminalList {
  /// Shows a list in a terminal, from the next turn of the main actor on.
  @_alwaysEmitIntoClient
  public convenience init(_ source: Source, in list: TerminalList) {
    self.init(source, display: list)
  }

  /// Shows items of a type as lines of text.
  @discardableResult
  public func row<Item>(_ type: Item.Type, _ text: @escaping (Item) -> String) -> Self {
    row(type) { item, _ in text(item) }
  }

  /// Shows items of a type as lines of text, which may say whether the row is selected or at the
  /// cursor.
  @discardableResult
  public func row<Item>(
    _ type: Item.Type, _ text: @escaping (Item, TerminalList.RowState) -> String
  ) -> Self {
    display.rows.add(type) { item, state in value(item, as: type).map { text($0, state) } ?? "" }
    return self
  }

  /// Shows a line above each section for which there is a text.
  ///
  /// The closure gets sections without their items.
  @discardableResult
  public func header(_ text: @escaping (Section) -> String?) -> Self {
    display.header = { value($0, as: Section.self).flatMap(text) }
    return self
  }

  /// Shows a line below each section for which there is a text.
  @discardableResult
  public func footer(_ text: @escaping (Section) -> String?) -> Self {
    display.footer = { value($0, as: Section.self).flatMap(text) }
    return self
  }
}
