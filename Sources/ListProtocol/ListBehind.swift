import JSONBytes
import ListState
import ListText

/// What a client has of a list whose notifications to it are paused.
struct ListBehind {
  /// The revision that the client has, what was selected in it, and the row of the cursor.
  private(set) var revision: Int
  private(set) var selected: BitSet
  private(set) var cursor: Int?

  /// The numbers of the view that the client has.
  private(set) var numbers: ViewNumbers?

  /// The number of the text that the client has, and the text; `nil` if it is too long to be kept.
  private(set) var textRevision: Int
  private(set) var text: RenderedText?

  /// The items that were expanded meanwhile and whose children are awaited, by their keys.
  var awaited: Set<UInt32> = []

  /// Says which list of the name it is, also after others.
  private let order: Int

  /// How many bytes of texts are kept for a client.
  static let textLimit = 4 << 20

  /// The client has a list as it is now, and its text, if it follows that. `room` is how many bytes of
  /// texts can be kept.
  init(_ list: NamedList, _ text: (text: RenderedText, revision: Int)?, room: inout Int) {
    order = list.order
    revision = list.revision
    selected = list.selection.items
    cursor = list.cursor
    numbers = list.view?.numbers
    textRevision = text?.revision ?? 0
    guard let text = text?.text, text.bytes.count <= room else { return }
    self.text = text
    room -= text.bytes.count
  }

  /// Forgets what the client has if that list was removed; returns whether it was.
  mutating func forgetRemoved(_ list: NamedList) -> Bool {
    guard revision > 0, list.revision == 0 || list.order != order else { return false }
    revision = 0
    selected = BitSet(bound: 0)
    cursor = nil
    numbers = nil
    textRevision = 0
    text = RenderedText()
    return true
  }
}

extension ListService {
  /// Pauses the notifications to a client, which has been sent everything up to now.
  ///
  /// - Complexity: O(*s* log *s* + *n*), where *s* is the number of all subscriptions and *n* the number
  ///   of items of the edited lists that the client has subscribed to.
  package mutating func pause(_ client: Int) {
    var room = ListBehind.textLimit
    // In the order of the names: the same texts are kept when a record is replayed.
    for name in subscriptions.keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      guard
        let index = subscriptions[name]!.firstIndex(where: {
          $0.client == client && $0.behind == nil
        })
      else { continue }
      let hearsText = subscriptions[name]![index].form.format == .textEdits
      subscriptions[name]![index].behind = ListBehind(
        store.listOrNew(name), hearsText ? book.text(of: name) : nil, room: &room)
    }
  }

  /// Sends a client whose notifications were paused one least change of each list, the sources of a
  /// composite before it, and ends the pause. If that takes more than `limit` bytes, notifications of
  /// the remaining lists stay paused.
  ///
  /// Returns whether any are paused.
  package mutating func resume(_ client: Int, limit: Int) -> Bool {
    let before = notifications.count
    var size = 0
    for name in listsBehind(client) {
      guard size <= limit else { return true }
      sendLeastChange(of: name, to: client)
      size = notifications[before...].reduce(0) { $0 + $1.count }
    }
    return false
  }

  /// The lists of which a client is behind, sources first.
  private func listsBehind(_ client: Int) -> [[UInt8]] {
    let names = subscriptions.filter { _, subscribers in
      subscribers.contains { $0.client == client && $0.behind != nil }
    }.keys
    var result: [[UInt8]] = []
    var visited: Set<[UInt8]> = []
    for name in names.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      // Composites can be as deep as there are lists: no recursion.
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
      var behind = subscriptions[name]?[index].behind, let form = subscriptions[name]?[index].form
    else { return }
    subscriptions[name]![index].behind = nil
    store.settle(name)
    let list = store.listOrNew(name)
    if behind.forgetRemoved(list) { send(.removed(name), form, to: client) }
    let known = store.change(
      of: list, since: behind.revision, selected: behind.selected, cursor: behind.cursor)
    var change = known ?? ListChange(unchanged: list)
    change.baseRevision = behind.revision
    change.isRenumbered = behind.numbers != list.view?.numbers
    var telling = Telling(form)
    telling.isKept = known != nil
    var text: TextChange?
    if form.format == .textEdits {
      let now = book.text(of: name)
      let isSame = now.revision == behind.textRevision
      telling.isKept = telling.isKept && (isSame || behind.text != nil)
      let old = behind.text ?? (isSame ? now.text : RenderedText())
      // A text that is read anew may have been of other rows than those that the change is between.
      let matching = change.isRevision ? change.changes.matching : nil
      text = TextChange(
        old: old, new: now.text,
        pairs: telling.isKept ? RowPairs(old, now.text, matching) : RowPairs(),
        baseRevision: behind.textRevision, revision: now.revision,
        cursorLine: list.cursor.map { now.text.lines(ofRow: $0).lowerBound })
    }
    if selfCheck.isOn, telling.isKept {
      // An answer that is found to be wrong is not sent: the client reads the list anew.
      telling.isKept = isRight(change, text, form, to: client)
    }
    send(.changed(change, text), form, telling, to: client)
    guard !behind.awaited.isEmpty else { return }
    let awaited = store.awaited(behind.awaited, in: name)
    if !awaited.isEmpty { send(.expanded(name, awaited), form, to: client) }
  }

  /// Whether the least change of a list since a pause is right as it would be sent.
  private mutating func isRight(
    _ change: ListChange, _ text: TextChange?, _ form: Subscription.Form, to client: Int
  ) -> Bool {
    let kept = book
    defer {
      selfCheck.forget()
      book = kept
    }
    selfCheck.forget()
    selfCheck.note(change)
    request = nil
    do throws(Failure) {
      try checkTold()
      guard let line = encode(.changed(change, text), form) else { return true }
      let sent = SentNotification(ListNotification(client: client, line: line, request: nil))
      try check(sent.message) { service, _ throws(BrokenLaw) in
        try service.check(sent, isLast: true, isOnly: false)
        guard let text, sent.method == "didChange", let params = sent.params,
          params["reload"] == nil
        else { return }
        let now = service.store.listOrNew(change.name)
        try service.check(
          edits: params, form.text, from: ObviousPage(text: text.old, snapshot: change.old),
          to: service.page(of: now, in: service.book, form.text))
      }
      return true
    } catch { return false }
  }

  private mutating func send(
    _ event: ListEvent, _ form: Subscription.Form, _ telling: Telling? = nil, to client: Int
  ) {
    guard let line = encode(event, form, telling) else { return }
    notifications.append(ListNotification(client: client, line: line, request: nil))
  }
}
