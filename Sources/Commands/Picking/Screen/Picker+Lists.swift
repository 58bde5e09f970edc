import ListCompare

extension Picker {
  // MARK: Results

  /// Waits until the result is that of the query, so that keys take effect one after the other.
  func settle() {
    let end = MonotonicTime.now.advanced(by: .seconds(5))
    while isBehind, pendingSearch == nil, .now < end {
      search.update()
      if let new = search.takeResult() { take(new) }
      guard isBehind, search.problem == nil else { return }
      _ = search.wait(waker, .milliseconds(50))
    }
  }

  func takeResults() {
    if let pending = pendingSearch {
      pending.update()
      guard let result = pending.takeResult(),
        result.isFinal || !waitsForEnd && result.count > screen.size.height
      else { return }
      adopt(pending, result)
    } else {
      search.follow(place)
      search.update()
      guard let result = search.takeResult() else { return }
      take(result)
    }
  }

  func take(_ new: PickSearch.Result) {
    let old = result
    result = new
    mustDraw = true
    if old?.version != new.version {
      // Only items of lists change.
      if case .rows = new.content { cache.removeAll() }
      marks.replace { new.isRemoved($0) ? nil : $0 }
      if let line = followed, new.isRemoved(line) { followed = nil }
    }
    if isTracking, followed == nil, let old, old.known.contains(cursor) {
      followed = old.isRemoved(old[cursor]) ? nil : old[cursor]
    }
    if let followed {
      // The line with the cursor keeps its row of the screen.
      let place = new.place(of: followed, near: cursor)
      if let place {
        top += place - cursor
        cursor = place
      } else if old?.request.query != new.request.query {
        (self.followed, cursor, top) = (nil, 0, 0)
      }
    }
    clampCursor()
    adaptHeight()
    if !hasLoaded, new.isFinal {
      hasLoaded = true
      perform(.event(.load))
    }
    if new.isFinal || new.count > 0 { perform(.event(.result)) }
    if new.isFinal { perform(.event(.resultFinal)) }
    if new.isFinal, new.count == 1 { perform(.event(.one)) }
    if new.isFinal, new.count == 0 { perform(.event(.zero)) }
    reportFocus()
  }

  /// Replaces the lines. The cursor and marks stay on lines with the same identity if the list lives.
  private func adopt(_ new: LineSearch, _ result: PickSearch.Result) {
    let old = search
    // The same lines may only be searched or shown in another way.
    let hasOtherLines = (old as? LineSearch)?.store !== new.store
    if isTracking { followed = currentLine }
    var wanted: [[UInt8]: Int] = [:]
    if hasOtherLines, feed != nil || options.identity != nil {
      for line in marks.lines { wanted[identity(of: line, in: old)] = -1 }
      if let followed { wanted[identity(of: followed, in: old)] = -1 }
      let lines = new.store.state.lines
      for line in 0..<max(0, lines.count - new.skipped) where !wanted.isEmpty {
        let name = identity(of: line, in: new)
        if wanted[name] == -1 { wanted[name] = line }
      }
    }
    if hasOtherLines {
      var successors: [Int: Int] = [:]
      for line in marks.lines + (followed.map { [$0] } ?? []) {
        if let new = wanted[identity(of: line, in: old)], new >= 0 { successors[line] = new }
      }
      marks.replace { successors[$0] }
      followed = followed.flatMap { successors[$0] }
      if feed == nil, options.identity == nil { (cursor, top) = (0, 0) }
    }
    search = new
    pendingSearch = nil
    old.close()
    cache.removeAll()
    (focused, hasLoaded) = (nil, false)
    if hasOtherLines { kept = [:] }
    take(result)
    keepMarkedLines()
  }

  private func identity(of line: Int, in search: PickSearch) -> [UInt8] {
    let bytes = search.bytes(of: line)
    guard let fields = options.identity else { return Array(bytes) }
    return fields.flatMap { $0.text(of: bytes, options.form.delimiter) + [0] }
  }

  /// The bytes of a line.
  func bytes(of line: Int) -> ArraySlice<UInt8> {
    if let bytes = kept[line] { return bytes[...] }
    return result?.bytes(of: line) ?? search.bytes(of: line)
  }

  /// Keeps the bytes of marked lines, which the input may not keep.
  func keepMarkedLines() {
    guard options.tail != nil else { return }
    var new: [Int: [UInt8]] = [:]
    for line in marks.lines { new[line] = kept[line] ?? Array(bytes(of: line)) }
    kept = new
  }

  /// The line with the cursor.
  var currentLine: Int? {
    guard let result, result.known.contains(cursor) else { return nil }
    return result[cursor]
  }

  func reportFocus() {
    let current = currentLine
    guard current != focused else { return }
    focused = current
    perform(.event(.focus))
  }

  // MARK: Living lists

  /// Reads a list that lives.
  func readFeed() {
    guard let feed else { return }
    do throws(CommandProblem) {
      guard let reading = try feed.next() else { return }
      feedProblem = reading.problem
      mustDraw = true
      replaceLines(PickSource.lines(of: reading.file, separator: options.separator))
    } catch { end = .failed(error) }
  }

  /// Searches other lines, which replace the present ones as soon as there is a result.
  ///
  /// - Parameters:
  ///   - waitsForEnd: Whether the input has to end first.
  func replaceLines(_ store: LineStore, waitsForEnd: Bool = false) {
    let waker = waker
    replaceSearch(
      by: LineSearch(store, options.form, skipping: options.headerLines) { waker.wake() },
      waitsForEnd: waitsForEnd)
  }

  func replaceSearch(by new: LineSearch, waitsForEnd: Bool = false) {
    pendingSearch?.close()
    self.waitsForEnd = waitsForEnd
    pendingSearch = new
    new.update()
    startSearch()
  }

  /// Runs a command whose output replaces the lines.
  func reload(_ command: String, waitsForEnd: Bool) {
    program?.end()
    let store = LineStore(tail: options.tail, header: options.headerLines)
    do throws(CommandProblem) {
      program = try SourceProgram(
        System.shell + [command], separator: options.separator, into: store, waker)
    } catch {
      problem = error.words
      return
    }
    replaceLines(store, waitsForEnd: waitsForEnd)
  }
}
