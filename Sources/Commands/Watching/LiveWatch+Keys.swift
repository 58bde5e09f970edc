import Terminals

extension LiveWatch {
  /// Performs what a user does. Returns false if that ends the program.
  func handle(_ event: InputEvent) -> Bool {
    problem = nil
    if event == .key(.character("l"), .control) {
      screen.forget()
      return true
    }
    do throws(LiveLists.Refusal) {
      if field != nil {
        try edit(event)
      } else if overlay != nil {
        return try handleInOverlay(event)
      } else {
        return try handleInTable(event)
      }
    } catch { problem = error.words }
    return true
  }

  private func handleInTable(_ event: InputEvent) throws(LiveLists.Refusal) -> Bool {
    if try perform(event) { return true }
    let height = body.height
    switch event {
    case .key(.character("q"), []): return false
    case .key(.up, []), .key(.character("k"), []): try table.moveCursor(-1)
    case .key(.down, []), .key(.character("j"), []): try table.moveCursor(1)
    case .key(.pageUp, []), .key(.character("b"), .control): try table.moveCursor(1 - height)
    case .key(.pageDown, []), .key(.character("f"), .control): try table.moveCursor(height - 1)
    case .key(.home, []): try table.setCursor(to: 0)
    case .key(.end, []): try table.setCursor(to: .max)
    case .key(.left, []): layout.skipped = max(0, layout.skipped - 1)
    case .key(.right, []): layout.skipped = min(layout.skipped + 1, table.columns.count - 1)
    case .key(.character("/"), []): field = TextField(table.definition.query)
    case .key(.character("s"), []): choose(.order, table.definition.sortedBy)
    case .key(.character("g"), []): choose(.groups, table.definition.groupedBy)
    case .key(.enter, []):
      if table.cursor == nil { try table.moveCursor(0) }
      overlay = .row(top: 0)
    case .key(.character(" "), []):
      if table.cursor == nil { try table.moveCursor(0) }
      try table.toggle()
      try table.moveCursor(1)
    case .key(.character("p"), []): try table.pause()
    case .key(.character("h"), []):
      if try !table.step(-1) { problem = "there is no earlier reading" }
    case .key(.character("l"), []):
      if try !table.step(1) { problem = "there is no later reading: p goes on" }
    case .key(.character("?"), []), .key(.function(1), []): overlay = .keys(top: 0)
    case .key(.escape, []): try goBack()
    case .mouse(let action, let x, let y, _): try handle(action, x, y)
    default: break
    }
    return true
  }

  /// Runs the commands that a recipe has for a key. Returns false if there are none.
  private func perform(_ event: InputEvent) throws(LiveLists.Refusal) -> Bool {
    guard keys.areBound(to: event) else { return false }
    // The cursor may have moved since the last frame.
    try updatePage()
    do throws(CommandProblem) {
      try keys.perform(event, on: rowWithCursor, table.columns, &screen)
      return true
    } catch { throw LiveLists.Refusal(words: error.words) }
  }

  /// The row with the cursor, if it is on the screen.
  private var rowWithCursor: TablePage.Row? {
    for case .row(let row) in page.lines where row.hasCursor { return row }
    return nil
  }

  /// Undoes one of the user's choices.
  private func goBack() throws(LiveLists.Refusal) {
    if table.cursor != nil {
      try table.removeCursor()
    } else if !table.definition.query.isEmpty {
      try table.redefine { $0.query = "" }
    } else if table.isPaused {
      try table.pause()
    }
  }

  private func choose(_ choice: TableOverlay.Choice, _ member: String?) {
    let index = member.flatMap { member in table.columns.firstIndex { $0.member == member } }
    overlay = .choice(choice, index: index.map { $0 + 1 } ?? 0)
  }

  private func handleInOverlay(_ event: InputEvent) throws(LiveLists.Refusal) -> Bool {
    let page = body.height - 1
    switch event {
    case .key(.escape, []), .key(.character("q"), []): overlay = nil
    case .key(.up, []), .key(.character("k"), []), .mouse(.wheelUp, _, _, _): moveOverlay(-1)
    case .key(.down, []), .key(.character("j"), []), .mouse(.wheelDown, _, _, _): moveOverlay(1)
    case .key(.pageUp, []): moveOverlay(-page)
    case .key(.pageDown, []), .key(.character(" "), []): moveOverlay(page)
    case .key(.home, []): moveOverlay(-1_000_000)
    case .key(.end, []): moveOverlay(1_000_000)
    case .key(.enter, []):
      if case .choice(let choice, let index) = overlay {
        try take(choice, index)
      }
      overlay = nil
    case .key(.character("s"), []), .key(.character("g"), []):
      // The key that opened a choice confirms it.
      if case .choice(let choice, let index) = overlay {
        try take(choice, index)
        overlay = nil
      }
    case .key(.character("h"), []), .key(.character("l"), []), .key(.character("p"), []):
      // The row is shown whole while it is followed through its history.
      if case .row = overlay { return try handleInTable(event) }
    case .mouse(.press(button: 0), _, let y, _):
      if case .choice(let choice, let index) = overlay {
        let height = body.height
        try take(choice, max(0, index - height + 1) + y - body.y)
        overlay = nil
      }
    default: break
    }
    return true
  }

  private func moveOverlay(_ count: Int) {
    switch overlay {
    case .keys(let top): overlay = .keys(top: max(0, top + count))
    case .row(let top): overlay = .row(top: max(0, top + count))
    case .choice(let choice, let index): overlay = .choice(choice, index: max(0, index + count))
    case nil: break
    }
  }

  private func take(
    _ choice: TableOverlay.Choice, _ index: Int
  ) throws(LiveLists.Refusal) {
    guard index >= 0, index <= table.columns.count else { return }
    let member = index == 0 ? nil : table.columns[index - 1].member
    switch choice {
    case .order: try sort(by: member)
    case .groups: try table.redefine { $0.groupedBy = member }
    }
  }

  /// Sorts by a column, the other way round if it is sorted by it already.
  private func sort(by member: String?) throws(LiveLists.Refusal) {
    try table.redefine {
      $0.isDescending = member != nil && member == $0.sortedBy && !$0.isDescending
      $0.sortedBy = member
    }
  }

  private func edit(_ event: InputEvent) throws(LiveLists.Refusal) {
    switch event {
    case .key(.escape, []):
      field = nil
      try table.redefine { $0.query = "" }
    case .key(.enter, []): field = nil
    case .key(.up, []): try table.moveCursor(-1)
    case .key(.down, []): try table.moveCursor(1)
    default:
      guard field?.handle(event) == true, let query = field?.text else { return }
      try table.redefine { $0.query = query }
    }
  }

  private func handle(
    _ action: MouseAction, _ x: Int, _ y: Int
  ) throws(LiveLists.Refusal) {
    switch action {
    case .wheelUp: try table.moveCursor(-3)
    case .wheelDown: try table.moveCursor(3)
    case .press(button: 0):
      let (first, _) = body
      if y == first - 1, layout.hasTitles {
        let width = screen.size.width
        let places = layout.places(from: TableLayout.gutter(width), to: width)
        if let place = places.last(where: { $0.x <= x }) { try sort(by: place.column.member) }
      } else if page.lines.indices.contains(y - first), case .row(let row) = page.lines[y - first] {
        try table.setCursor(to: row.number)
      }
    default: break
    }
  }
}
