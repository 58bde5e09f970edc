import ByteBuffers

extension ListSearch {
  func receive(_ message: ListClient.Incoming) throws(CommandProblem) {
    switch message {
    case .notification(let method, _):
      if method == "didChange" || method == "didRemove" { isOld = true }
    case .reply(let id, let answer):
      if id == contents { return readContents(answer) }
      if let subscription, subscription.id == id {
        isOld = isOld || answer.integer("revision") != subscription.revision
        return
      }
      guard var current = reading else { return }
      if let (lookup, lines) = current.lookup, lookup == id {
        current.lookup = nil
        reading = current
        let found = answer["items"]?.elements ?? []
        if current.purpose == .followed {
          try read(near: found.first, current)
        } else {
          rows.note(lines, areThere: found.map { $0.isObject })
          try readContents(of: found)
        }
      } else if current.id == id {
        reading = nil
        try receive(answer, of: current)
      }
    case .failure(_, let error) where reason(of: error) == "itemNotFound":
      // The list does not have the line that the cursor stays with.
      view.forget()
    case .failure(let id, _) where id == contents: contents = nil
    case .failure(let id, let error):
      guard reason(of: error) == "listNotFound", let current = reading else {
        throw CommandProblem(words: ListClient.words(of: error), exitCode: 1)
      }
      if let (lookup, lines) = current.lookup, lookup == id {
        rows.note(lines, areThere: lines.map { _ in false })
        reading!.lookup = nil
      } else if current.id == id {
        reading = nil
        if current.readsView {
          // Another client has removed it.
          view.forget()
          isOld = true
          return
        }
        // The list does not exist, or not yet.
        (known, lines, matched, listed) = (0..<0, [], 0, 0)
        try subscribe(since: 0)
        publish(current)
      }
    }
  }

  /// Subscribes to the list, if that has not been done. The reply has the whole list unless its revision is
  /// known.
  private func subscribe(since revision: Int) throws(CommandProblem) {
    guard subscription == nil else { return }
    let name = name
    let id = try client.send("subscribe") {
      $0.append(list: name)
      $0.append(",\"format\":\"none\"")
      $0.append(member: "since", revision)
    }
    subscription = (id, revision)
  }

  /// Asks for the contents of lines, which may not be among those that are shown, given their places in the
  /// list.
  private func readContents(of places: [MessagePart]) throws(CommandProblem) {
    let paths = places.compactMap { $0["at"] }
    guard !paths.isEmpty else { return }
    let name = name
    contents = try client.send("locate") {
      $0.append(list: name)
      $0.append(list: "paths", paths.count) { paths[$0].append(to: &$1) }
    }
  }

  /// Replaces the texts of marked lines.
  private func readContents(_ answer: MessagePart) {
    contents = nil
    for item in (answer["paths"]?.elements ?? []).compactMap({ $0["content"] }) {
      rows.update(Self.reference(to: item), form.text(of: item))
    }
    if let answered, reading == nil { publish(answered) }
  }

  private func reason(of error: MessagePart) -> String? { error["data"]?.text("reason") }

  private static func reference(to item: MessagePart) -> [UInt8] {
    Array((item["id"] ?? item).json.utf8)
  }

  /// Reads the rows near an item of the list, whose place was found.
  private func read(near found: MessagePart?, _ current: Reading) throws(CommandProblem) {
    let path = (found?["at"]?.elements ?? []).compactMap { Int($0.plain) }
    var next = current
    guard path.count == 2, let start = starts[path[0]] ?? (path[0] == 0 ? 0 : nil) else {
      next.purpose = .placeAgain
      next.window = window(around: place.cursor)
      return try send(next)
    }
    next.window = window(around: start + path[1])
    try send(next)
  }

  private func receive(_ answer: MessagePart, of current: Reading) throws(CommandProblem) {
    if !current.readsView { try subscribe(since: answer.integer("revision") ?? 0) }
    let found = answer["rows"]?.elements ?? []
    let items = found.compactMap { $0["content"] }
    form.add(items)
    if current.purpose == .form, !form.members.isEmpty,
      !current.wanted.request.query.isEmpty || !excluded.isEmpty
    {
      var next = current
      next.purpose = .place
      return try send(next)
    }
    guard current.wanted == wanted else {
      isOld = isOld || current.isOfChange
      return
    }
    var start = current.window.lowerBound
    if current.readsView, let numbers = answer["view"] {
      start = numbers.integer("start") ?? start
      matched = numbers.integer("matched") ?? 0
      listed = numbers.integer("total") ?? 0
    } else {
      matched = answer.integer("total") ?? 0
      listed = matched
      starts = [:]
      for (index, row) in found.enumerated() {
        let path = (row["at"]?.elements ?? []).compactMap { Int($0.plain) }
        if path.count == 2 { starts[path[0]] = start + index - path[1] }
      }
    }
    lines = items.map { item in
      rows.add(Self.reference(to: item), form.text(of: item))
    }
    known = start..<start + lines.count
    // Finds the line that the cursor stays with, if the list or the query has changed.
    if let followed = place.followed, rows.reference(to: followed) != nil,
      !lines.contains(followed),
      current.isOfChange || current.wanted.text != answered?.text
    {
      var next = current
      if current.purpose == .place {
        next.purpose = .followed
        next.window = window(around: place.cursor)
        if current.readsView { return try send(next) }
        next.lookup = (try locate([followed]), [followed])
        reading = next
        return
      }
      if current.purpose == .followed {
        next.purpose = .placeAgain
        next.window = window(around: place.cursor)
        return try send(next)
      }
    }
    publish(current)
  }

  private func publish(_ current: Reading) {
    if current.isOfChange { version += 1 }
    if let index = place.followed.flatMap({ lines.firstIndex(of: $0) }) {
      place.cursor = known.lowerBound + index
    }
    publish(current.wanted)
  }

  /// Makes what was read the result.
  private func publish(_ wanted: Wanted) {
    answered = wanted
    result = Result(
      request: wanted.request, searched: listed, count: matched, lines: lines,
      start: known.lowerBound, isFinal: true, version: version, content: .rows(rows))
  }
}
