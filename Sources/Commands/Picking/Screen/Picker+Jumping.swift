import Terminals

extension Picker {
  /// The labels of the lines on the screen, the first one of the line at the top of the list.
  var labels: [Character] { jump.isOn ? Array(options.jumpLabels) : [] }

  /// Goes to the line whose label was typed.
  func endJump(_ event: InputEvent) {
    let accepts = jump.accepts
    jump = (false, false)
    mustDraw = true
    guard case .key(.character(let character), let modifiers) = event, modifiers.isEmpty,
      let index = options.jumpLabels.firstIndex(of: character)
    else { return perform(.event(.jumpCancel)) }
    let place = top + options.jumpLabels.distance(from: options.jumpLabels.startIndex, to: index)
    guard let result, place < min(result.count, top + areas.rows) else {
      return perform(.event(.jumpCancel))
    }
    moveCursor(to: place)
    if accepts { accept() }
    perform(.event(.jump))
  }

  /// Removes lines from those that can match.
  func exclude(_ lines: [Int]) {
    search.remove(lines)
    marks.subtract(Set(lines))
  }

  /// Waits until all lines were searched for the present query. Returns false if the user has cancelled
  /// that.
  func waitForSearch() -> Bool {
    startSearch()
    while end == nil, search.problem == nil {
      takeResults()
      if !isBehind, pendingSearch == nil, result?.isFinal == true || search.isFull {
        return true
      }
      while !unread.isEmpty {
        guard let key = PickKey(unread.removeFirst()), let actions = bindings[key] else { continue }
        if actions.contains(where: { $0.name == .abort || $0.name == .cancel }) { return false }
      }
      if mustDraw {
        mustDraw = false
        guard draw() else { return false }
      }
      let limit = screen.isWaiting ? Screen.escapeDelay : nil
      let event = Waiting.wait(for: screen.polled + search.polled + [waker.number], limit)
      guard event != .unread else { return false }
      waker.clear()
      let (events, _) = screen.read()
      unread += events
      if events.isEmpty, screen.isWaiting, event != .ready { unread += screen.endWaiting() }
    }
    return false
  }
}
