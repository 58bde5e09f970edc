extension Picker {
  /// Returns whether the action is about marks.
  func performMarking(_ action: PickAction, _ down: Int) -> Bool {
    let isUpwards = options.layout == .standard
    switch action.name {
    case .toggle: toggle()
    case .toggleDown: if toggle() { moveCursor(by: down, cycles: options.cycles) }
    case .toggleUp: if toggle() { moveCursor(by: -down, cycles: options.cycles) }
    case .toggleIn: if toggle() { moveCursor(by: isUpwards ? down : -down, cycles: options.cycles) }
    case .toggleOut:
      if toggle() { moveCursor(by: isUpwards ? -down : down, cycles: options.cycles) }
    case .select: if let line = currentLine, canMark { marks.insert(line) }
    case .deselect: if let line = currentLine { marks.remove(line) }
    case .selectAll: for line in matchingLines() where canMark { marks.insert(line) }
    case .deselectAll: marks.subtract(Set(matchingLines()))
    case .clearMulti, .clearSelection: marks.removeAll()
    case .toggleAll:
      let lines = matchingLines()
      let marked = Set(lines.filter { marks.contains($0) })
      marks.subtract(marked)
      for line in lines where !marked.contains(line) && canMark { marks.insert(line) }
    case .changeMulti: options.mostMarks = Int(action.argument) ?? .max
    default: return false
    }
    keepMarkedLines()
    perform(.event(.multi))
    return true
  }

  private var canMark: Bool { marks.count < options.mostMarks }

  /// Marks or unmarks the line with the cursor. Returns false if nothing can be marked.
  @discardableResult
  private func toggle() -> Bool {
    guard options.mostMarks > 0, let line = currentLine else { return false }
    if marks.contains(line) {
      marks.remove(line)
    } else {
      guard canMark else { return false }
      marks.insert(line)
    }
    return true
  }

  /// All lines that match, in their order.
  private func matchingLines() -> [Int] {
    guard options.mostMarks > 0, let result else { return [] }
    guard result.known.count < result.count || isBehind else {
      return (0..<result.count).map { result[$0] }
    }
    let request = PickSearch.Request(query: currentQuery, ranking: options.ranking, count: .max)
    let all = search.await(request, place)
    take(all)
    startSearch()
    return (0..<all.count).map { all[$0] }
  }
}
