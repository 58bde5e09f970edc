import Terminals

extension Picker {
  /// Performs what a user does.
  func handle(_ event: InputEvent) {
    problem = nil
    if jump.isOn { return endJump(event) }
    switch event {
    case .mouse(let action, let x, let y, let modifiers):
      handleMouse(action, x, y, modifiers)
    case .paste:
      _ = field.handle(event)
    case .cursor: break
    case .key(.character("z"), .control) where bindings[.key(.character("z"), .control)] == nil:
      System.stopGroup()
    case .key:
      guard let key = PickKey(event) else { return }
      if let name = options.expected[key] {
        settle()
        accept(key: name)
      } else if bindings[key] != nil {
        perform(key)
      } else if case .key(.character, let modifiers) = event,
        modifiers.isDisjoint(with: [.control, .alt])
      {
        _ = field.handle(event)
      }
    }
  }

  /// Performs the actions that are bound to a key or an event.
  func perform(_ key: PickKey) {
    guard let actions = bindings[key] else { return }
    perform(actions)
  }

  func perform(_ actions: [PickAction]) {
    for action in actions where end == nil {
      if action.name == .wait {
        guard waitForSearch() else { break }
        continue
      }
      let before = field.text
      perform(action)
      if field.text != before, actions.count > 1 { queryChanged() }
    }
    if let last = actions.last { lastAction = last.name.rawValue }
    reportFocus()
  }

  private func perform(_ action: PickAction) {
    if let name = action.name.transformed {
      settle()
      return perform(PickAction(name: name, argument: capture(action.argument) ?? ""))
    }
    if !action.name.isEditing {
      mustDraw = true
      if action.name.dependsOnResult { settle() }
    }
    let height = max(1, areas.rows)
    // Up on the screen is further down the list if that grows upwards.
    let down = options.layout == .standard ? -1 : 1
    switch action.name {
    case .abort: end = .aborted
    case .accept: accept()
    case .acceptNonEmpty: if currentLine != nil || marks.count > 0 { accept() }
    case .acceptOrPrintQuery:
      if currentLine != nil || marks.count > 0 { accept() } else { end = .query }
    case .bell: ring()
    case .cancel: if field.text.isEmpty { end = .aborted } else { field = TextField() }
    case .close: if isPreviewShown { options.previewWindow.isHidden = true } else { end = .aborted }
    case .ignore: break
    case .up, .upMatch: moveCursor(by: -down, cycles: options.cycles)
    case .down, .downMatch: moveCursor(by: down, cycles: options.cycles)
    case .first, .top, .best: moveCursor(to: 0)
    case .last: moveCursor(to: .max)
    case .pageUp: moveCursor(by: -down * (height - 1))
    case .pageDown: moveCursor(by: down * (height - 1))
    case .halfPageUp: moveCursor(by: -down * (height / 2))
    case .halfPageDown: moveCursor(by: down * (height / 2))
    case .pos:
      let number = Int(action.argument) ?? 1
      moveCursor(to: number > 0 ? number - 1 : number < 0 ? (result?.count ?? 0) + number : 0)
    case .upSelected, .previousSelected: moveToMark(-down)
    case .downSelected, .nextSelected: moveToMark(down)
    case .offsetUp: scroll(by: -down)
    case .offsetDown: scroll(by: down)
    case .offsetMiddle: top = max(0, cursor - areas.rows / 2)
    default: if !performEditing(action), !performMarking(action, down) { performOther(action) }
    }
  }

  private func ring() {
    var sign = "\u{7}"
    _ = sign.withUTF8 { output.write(UnsafeRawBufferPointer($0)) }
  }

  // MARK: The cursor

  func moveCursor(by count: Int, cycles: Bool = false) {
    guard let result, result.count > 0 else { return }
    var place = cursor + count
    if cycles {
      if place < 0 { place = result.count - 1 } else if place >= result.count { place = 0 }
    }
    moveCursor(to: place)
  }

  func moveCursor(to place: Int) {
    guard let result, result.count > 0 else { return }
    if place != cursor { tracksCurrent = false }
    cursor = max(0, min(place, result.count - 1))
    mustDraw = true
    let seen = max(0, cursor - areas.rows)..<min(result.count, cursor + areas.rows + 1)
    if !result.known.contains(seen) {
      startSearch(atLeast: 2 * (cursor + areas.rows))
      if !result.known.contains(cursor) { waitForPlace() }
    }
    clampCursor()
    followed = cursor == 0 ? nil : currentLine
  }

  /// Waits until the line at the cursor is known, which was asked for.
  private func waitForPlace() {
    let wanted = cursor
    for _ in 0..<1000 where search.problem == nil {
      search.update()
      if let new = search.takeResult(), new.request.query == currentQuery {
        result = new
        if new.known.contains(wanted) || wanted >= new.count { return }
      }
      _ = search.wait(waker, .milliseconds(10))
    }
  }

  /// Keeps the cursor in the result, and on the screen.
  func clampCursor() {
    var count = result?.count ?? 0
    if let known = result?.known, known.lowerBound == 0 { count = min(count, known.upperBound) }
    cursor = max(0, min(cursor, count - 1))
    let rows = max(1, areas.rows)
    let margin = min(options.scrollMargin, (rows - 1) / 2)
    top = max(cursor - rows + 1 + margin, min(top, cursor - margin))
    top = max(0, min(top, max(0, (result?.count ?? 0) - rows)))
  }

  /// Scrolls the lines. The cursor stays on the screen.
  private func scroll(by count: Int) {
    guard let result else { return }
    top = max(0, min(top + count, result.count - areas.rows))
    moveCursor(to: max(top, min(cursor, top + areas.rows - 1)))
  }

  private func moveToMark(_ step: Int) {
    guard let result else { return }
    var place = cursor + step
    while result.known.contains(place) {
      if marks.contains(result[place]) { return moveCursor(to: place) }
      place += step
    }
  }

  // MARK: The query

  /// Returns whether the action is about the query.
  private func performEditing(_ action: PickAction) -> Bool {
    func press(_ key: Key, _ modifiers: KeyModifiers = []) {
      _ = field.handle(.key(key, modifiers))
    }
    switch action.name {
    case .backwardChar: press(.left)
    case .forwardChar: press(.right)
    case .backwardWord: press(.left, .alt)
    case .forwardWord: press(.right, .alt)
    case .beginningOfLine: press(.home)
    case .endOfLine: press(.end)
    case .backwardDeleteChar:
      if field.position == 0 { perform(.event(.backwardEnd)) } else { press(.backspace) }
    case .backwardDeleteCharOrEnd:
      if field.text.isEmpty { end = .aborted } else { press(.backspace) }
    case .deleteChar: press(.delete)
    case .deleteCharOrEnd: if field.text.isEmpty { end = .aborted } else { press(.delete) }
    case .backwardKillWord: kill { $0.handle(.key(.backspace, .alt)) }
    case .killWord: kill { $0.handle(.key(.character("d"), .alt)) }
    case .unixWordRubout: kill { $0.handle(.key(.character("w"), .control)) }
    case .unixLineDiscard: kill { $0.handle(.key(.character("u"), .control)) }
    case .killLine: kill { $0.handle(.key(.character("k"), .control)) }
    case .yank: _ = field.handle(.paste(killed))
    case .clearQuery: field = TextField()
    case .changeQuery: field = TextField(action.argument)
    case .replaceQuery:
      if let line = currentLine {
        field = TextField(String(decoding: plainText(of: line), as: UTF8.self))
      }
    case .put: _ = field.handle(.paste(action.argument))
    default: return false
    }
    return true
  }

  /// Performs an action that removes a part of the query, which can be inserted again.
  private func kill(_ edit: (inout TextField) -> Bool) {
    let before = Array(field.text)
    guard edit(&field) else { return }
    let count = before.count - field.text.count
    if count > 0 { killed = String(before[field.position..<field.position + count]) }
  }

  func accept(key: String = "") { end = .accepted(key: key) }

  // MARK: Others

  private func performOther(_ action: PickAction) {
    let argument = action.argument
    switch action.name {
    case .clearScreen: screen.forget()
    case .changePrompt: options.prompt = argument
    case .changePointer: options.pointer = argument
    case .changeNth, .changeWithNth: changeFields(action)
    case .changeHeader: header = PickOptions.lines(argument)
    case .changeFooter: footer = PickOptions.lines(argument)
    case .changeGhost: options.ghost = argument
    case .changeBorderLabel: options.borderLabel = argument
    case .changePreviewLabel: options.previewLabel = argument
    case .showHeader: isHeaderHidden = false
    case .hideHeader: isHeaderHidden = true
    case .toggleHeader: isHeaderHidden.toggle()
    case .toggleSort:
      options.ranking.isSorted.toggle()
      startSearch()
    case .toggleSearch: setSearching(!isSearching)
    case .enableSearch: setSearching(true)
    case .disableSearch: setSearching(false)
    case .search:
      (isSearching, frozenText) = (false, argument)
      startSearch()
    case .print: printed.append(argument)
    case .printQuery: end = .query
    case .become: if let command = command(argument) { end = .become(command) }
    case .execute: run(argument, isSilent: false)
    case .executeSilent: run(argument, isSilent: true)
    case .reload, .reloadSync:
      if let command = command(argument) {
        reload(command, waitsForEnd: action.name == .reloadSync)
      }
    case .transform:
      var rest = (capture(argument) ?? "")[...]
      if !rest.isEmpty {
        do throws(CommandProblem) { perform(try BindingReader.actions(&rest)) } catch {
          problem = error.words
        }
      }
    case .jump: jump = (true, false)
    case .jumpAccept: jump = (true, true)
    case .exclude: if let line = currentLine { exclude([line]) }
    case .excludeMulti:
      exclude(marks.count > 0 ? marks.lines : currentLine.map { [$0] } ?? [])
    case .toggleTrack: options.tracks.toggle()
    case .toggleTrackCurrent: tracksCurrent.toggle()
    case .trackCurrent: tracksCurrent = true
    case .untrackCurrent: tracksCurrent = false
    case .unbind, .rebind, .toggleBind, .trigger: perform(action, with: argument)
    default: performInPreview(action)
    }
  }

  /// Searches, or shows, other fields of the lines.
  private func changeFields(_ action: PickAction) {
    let value = next(of: action)
    do throws(CommandProblem) {
      guard search is LineSearch else {
        throw CommandProblem(words: "\(action.name.rawValue) is not for lists: see --columns")
      }
      if action.name == .changeNth {
        options.form.searched = value.isEmpty ? [] : try FieldRange.list(value, of: "change-nth")
      } else {
        options.form.shown =
          value.isEmpty ? nil : try FieldTemplate(value, of: "change-with-nth")
      }
      cache.removeAll()
      if let new = search.reading(options.form, waker) { replaceSearch(by: new) }
    } catch { problem = error.words }
  }

  /// The next one of several values of an action, with `|` between them.
  func next(of action: PickAction) -> String {
    let values = action.argument.split(separator: "|", omittingEmptySubsequences: false)
    let index = rotations[action.name, default: 0]
    rotations[action.name] = index + 1
    return String(values[index % values.count])
  }

  /// Performs an action on the bindings of keys and events.
  private func perform(_ action: PickAction, with names: String) {
    do throws(CommandProblem) {
      for (key, _) in try BindingReader.keys(names) {
        switch action.name {
        case .unbind: bindings[key] = nil
        case .toggleBind: bindings[key] = bindings[key] == nil ? options.bindings[key] : nil
        case .trigger:
          guard triggers < 16 else {
            throw CommandProblem(words: "the actions of \(names) trigger themselves")
          }
          triggers += 1
          perform(key)
          triggers -= 1
        default: bindings[key] = options.bindings[key]
        }
      }
    } catch { problem = error.words }
  }

  private func setSearching(_ isOn: Bool) {
    isSearching = isOn
    startSearch()
  }
}

extension PickAction.Name {
  /// Whether the action is about the lines that match the query.
  fileprivate var dependsOnResult: Bool {
    switch self {
    case .abort, .cancel, .close, .ignore, .bell, .backwardChar, .forwardChar, .backwardWord,
      .forwardWord, .beginningOfLine, .endOfLine, .clearScreen, .changePrompt, .changePointer,
      .changeHeader, .changeFooter, .changeGhost, .changeBorderLabel, .changePreviewLabel, .trigger,
      .toggleBind, .toggleTrack,
      .showHeader, .hideHeader, .toggleHeader,
      .unbind, .rebind, .reload, .reloadSync, .search, .print, .printQuery, .togglePreview,
      .showPreview, .hidePreview, .togglePreviewWrap, .changePreviewWindow, .enableSearch,
      .disableSearch, .toggleSearch, .toggleSort:
      false
    default: true
    }
  }

  /// Whether the action changes only the query, so that the screen changes with the result.
  fileprivate var isEditing: Bool {
    switch self {
    case .backwardDeleteChar, .put, .deleteChar, .unixLineDiscard, .unixWordRubout,
      .backwardKillWord,
      .killWord, .killLine, .yank, .clearQuery, .changeQuery:
      true
    default: false
    }
  }
}
