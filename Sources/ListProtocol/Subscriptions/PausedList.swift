import JSONBytes
import ListState
import ListText

/// The state of a list that a client has, while notifications to it are paused.
struct PausedList {
  /// The revision that the client has, its selection, and the row of its cursor.
  private(set) var revision: Int
  private(set) var selected: [Range<Int>]
  private(set) var cursor: Int?

  /// The numbers of the view that the client has.
  private(set) var numbers: ViewNumbers?

  /// The revision of the text that the client has, and that text; `nil` if it is too long to be
  /// kept.
  private(set) var textRevision: Int
  private(set) var text: RenderedText?
  private(set) var cursorLine: Int?

  /// The keys of items that were expanded during the pause and whose children are awaited.
  var awaited: Set<UInt32> = []

  /// Whether the state of the list's feed has changed during the pause.
  var missesFeedState = false

  /// Identifies the list, because a removed list's name may be used again.
  private let order: Int

  /// The maximum number of bytes of texts that are kept for a client.
  static let textLimit = 4 << 20

  /// Records that the client has the present state of a list, and its text, the `page`, if it
  /// follows that. `room` is the number of bytes of texts that can still be kept.
  init(_ list: NamedList, _ page: TextPage?, room: inout Int) {
    order = list.order
    revision = list.revision
    selected = list.selectedItems.runs
    cursor = list.cursor
    numbers = list.viewNumbers
    textRevision = page?.textRevision ?? 0
    cursorLine = page?.cursorLine
    guard let text = page?.text, text.byteCount <= room else { return }
    self.text = text
    room -= text.byteCount
  }

  /// Forgets the state if the list was removed. Returns whether it was.
  mutating func forgetRemoved(_ list: NamedList) -> Bool {
    guard revision > 0, list.revision == 0 || list.order != order else { return false }
    revision = 0
    selected = []
    cursor = nil
    numbers = nil
    textRevision = 0
    text = RenderedText()
    cursorLine = nil
    return true
  }
}

extension ListService {
  /// Pauses the notifications to a client, which has been sent all changes so far.
  ///
  /// - Complexity: O(*s* log *s* + *k* log *n*), where *s* is the number of all subscriptions, and *k* the
  ///   number of selected ones among the *n* items of the lists that the client has subscribed to.
  package mutating func pause(_ client: Int) {
    setPaused(true, client)
    var room = PausedList.textLimit
    // In a fixed order, so that a replay keeps the same texts.
    for name in store.inOrderOfCreation(subscriptions.keys) {
      guard
        let index = subscriptions[name]!.firstIndex(where: {
          $0.client == client && $0.paused == nil
        })
      else { continue }
      let followsText = subscriptions[name]![index].encoding.format == .textEdits
      let list = store.peek(name) ?? NamedList(name: name)
      subscriptions[name]![index].paused = PausedList(
        list, followsText ? book.page(of: name) : nil, room: &room)
    }
  }

  /// Ends the pause of a client: sends it one least change of each list, the sources of a composite
  /// before the composite. If these take more than `limit` bytes, notifications of the remaining
  /// lists stay paused.
  ///
  /// Returns whether any are still paused.
  package mutating func resume(_ client: Int, limit: Int) -> Bool {
    setPaused(false, client)
    let before = notifications.count
    var size = 0
    for name in pausedLists(client) {
      guard size <= limit else { return true }
      sendLeastChange(of: name, to: client)
      size = notifications[before...].reduce(0) { $0 + $1.count }
    }
    return false
  }

  /// Returns the lists whose notifications to the client are paused, sources first.
  private func pausedLists(_ client: Int) -> [[UInt8]] {
    let names = subscriptions.filter { _, subscribers in
      subscribers.contains { $0.client == client && $0.paused != nil }
    }.keys
    var result: [[UInt8]] = []
    var visited: Set<[UInt8]> = []
    for name in store.inOrderOfCreation(names) {
      // Composites can be nested as deeply as there are lists, so this does not recurse.
      guard visited.insert(name).inserted else { continue }
      var path = [(name: name, sources: (store.peek(name)?.sources ?? [])[...])]
      while let (name, sources) = path.last {
        if let source = sources.first {
          path[path.count - 1].sources = sources.dropFirst()
          guard visited.insert(source).inserted else { continue }
          path.append((source, (store.peek(source)?.sources ?? [])[...]))
        } else {
          path.removeLast()
          if names.contains(name) { result.append(name) }
        }
      }
    }
    return result
  }

  private mutating func sendLeastChange(of name: [UInt8], to client: Int) {
    guard let index = subscriptions[name]?.firstIndex(where: { $0.client == client }),
      var paused = subscriptions[name]?[index].paused,
      var encoding = subscriptions[name]?[index].encoding
    else { return }
    subscriptions[name]![index].paused = nil
    let list = store.listOrNew(name)
    if paused.forgetRemoved(list) { send(.removed(name), encoding, to: client) }
    let changesNumbers = paused.numbers != list.viewNumbers
    let known = store.change(
      of: list, since: paused.revision, marks: (paused.selected.flatMap { $0 }, paused.cursor),
      changesNumbers: changesNumbers, hasRuns: encoding.format == .textEdits || selfCheck.isOn)
    let change =
      known
      ?? ListChange(unchanged: list, since: paused.revision, changesNumbers: changesNumbers)
    encoding.isBaseKnown = known != nil
    var text: TextChange?
    if encoding.format == .textEdits {
      let now = book.page(of: name) ?? TextPage()
      let isSame = now.textRevision == paused.textRevision
      encoding.isBaseKnown = encoding.isBaseKnown && (isSame || paused.text != nil)
      let old = paused.text ?? (isSame ? now.text : RenderedText())
      // A text that is rendered again may have other rows than the change.
      var pairs = RowPairs()
      if encoding.isBaseKnown {
        pairs =
          change.isRevision
          ? change.runs.map { RowPairs(old, $0) } ?? RowPairs()
          : RowPairs(identityOf: old, exceptFor: [])
        pairs.setAllMayDiffer()
      }
      text = TextChange(
        old: old, new: now.text, pairs: pairs,
        baseRevision: paused.textRevision, revision: now.textRevision,
        cursorLine: now.cursorLine, movesCursor: paused.cursorLine != now.cursorLine)
    }
    if selfCheck.isOn, encoding.isBaseKnown {
      // A wrong answer is not sent; the client reads the list again instead.
      encoding.isBaseKnown = isCorrect(change, text, encoding, to: client)
    }
    send(.changed(change, text), encoding, to: client)
    if paused.missesFeedState { send(.fed(name), encoding, to: client) }
    guard !paused.awaited.isEmpty else { return }
    let awaited = store.awaited(paused.awaited, in: name)
    if !awaited.isEmpty { send(.expanded(name, awaited), encoding, to: client) }
  }

  /// Checks the least change of a list since a pause as it would be sent. Returns whether it is
  /// correct.
  private mutating func isCorrect(
    _ change: ListChange, _ text: TextChange?, _ encoding: ChangeEncoding, to client: Int
  ) -> Bool {
    let kept = book
    defer {
      selfCheck.forget()
      book = kept
    }
    selfCheck.forget()
    let now = store.listOrNew(change.name)
    let old = (try? now.snapshot(of: change.baseRevision)) ?? Snapshot()
    selfCheck.record(change, from: old, to: now.shownItems)
    do throws(Failure) {
      try checkChanges()
      guard let line = encode(.changed(change, text), encoding) else { return true }
      let sent = SentNotification(ListNotification(client: client, line: line, request: nil))
      try check(sent.message) { service, _ throws(InvariantViolation) in
        try service.check(sent, isLast: true, isOnly: false)
        guard let text, sent.method == "didChange", let params = sent.params,
          params["reload"] == nil
        else { return }
        try service.check(
          edits: params, encoding.text, from: ReferencePage(text: text.old, snapshot: old),
          to: service.page(of: now, in: service.book, encoding.text))
      }
      return true
    } catch { return false }
  }

  private mutating func send(
    _ event: ListEvent, _ encoding: ChangeEncoding, to client: Int
  ) {
    guard let line = encode(event, encoding) else { return }
    notifications.append(ListNotification(client: client, line: line, request: nil))
  }
}
