import JSONBytes
import ListState

/// What a client wants to hear of a list.
struct Subscription {
  var format: Format
  var content: Bool
  var maxOps = Int.max
}

/// What a request has done that subscribers hear of, in the order in which they hear it.
enum ListEvent {
  case changed(ListChange, TextChange?)
  /// Edits of a list whose text nobody has opened.
  case edited(EditChange)
  case selected(SelectionChange, TextChange?)
  /// The text of a list is another, by other templates.
  case rendered([UInt8], TextChange)
  case removed([UInt8])

  var isRemoval: Bool {
    if case .removed = self { true } else { false }
  }

  /// The list that it is about.
  var list: [UInt8] {
    switch self {
    case .changed(let change, _): change.name
    case .edited(let change): change.name
    case .selected(let change, _): change.name
    case .rendered(let name, _), .removed(let name): name
    }
  }
}

extension ListService {
  func isSubscribed(_ name: [UInt8]) -> Bool { subscriptions[name] != nil }

  /// Answers a request with its change, and notes that change and those that follow from it.
  mutating func answer(_ changes: [ListChange], _ telling: Telling, to out: inout ByteBuffer) {
    for (place, change) in changes.enumerated() {
      let text = updateText(of: change)
      if place == 0 {
        append(change, telling, text, to: &out)
        out.append("}")
      }
      note(.changed(change, text))
    }
  }

  /// Notes what was done, for the client where it has subscribed to the list.
  mutating func note(_ event: ListEvent) {
    if case .changed(let change, _) = event {
      selfCheck.note(change.changes, from: change.old, to: change.new)
    }
    guard let subscription = subscriptions[event.list] else { return }
    let telling = Telling(subscription)
    let hearsText = subscription.format == .textEdits
    var buffer = ByteBuffer()
    switch event {
    case .changed(let change, let text):
      if change.isRevision || !change.changes.stages.isEmpty || change.isRenumbered
        || hearsText && text.isChange
      {
        appendDidChange(change, telling, text, to: &buffer)
      } else if change.isMarked {
        appendDidSelect(store.marking(change), hearsText ? text : nil, to: &buffer)
      } else {
        return
      }
    case .edited(let change):
      if change.revision != change.baseRevision || !change.stages.isEmpty {
        buffer.append("{\"jsonrpc\":\"2.0\",\"method\":\"didChange\",\"params\":")
        append(change, telling, to: &buffer)
      } else if let marking = change.marking {
        appendDidSelect(marking, nil, to: &buffer)
      } else {
        return
      }
    case .selected(let change, let text):
      if hearsText, text.isChange {
        let marked = ListChange(marking: change, of: store.listOrNew(change.name))
        appendDidChange(marked, telling, text, to: &buffer)
      } else if change.isMarked {
        appendDidSelect(change, hearsText ? text : nil, to: &buffer)
      } else {
        return
      }
    case .rendered(let name, let text):
      guard hearsText, let list = try? store.list(name) else { return }
      appendDidChange(ListChange(unchanged: list), telling, text, to: &buffer)
    case .removed(let name):
      buffer.append("{\"jsonrpc\":\"2.0\",\"method\":\"didRemove\",\"params\":")
      buffer.append(openingFor: name)
    }
    if let request, !event.isRemoval {
      buffer.append(",\"request\":")
      request.withBytes { buffer.append($0) }
    }
    buffer.append("}}")
    notifications.append(buffer.shared())
  }

  private mutating func appendDidChange(
    _ change: ListChange, _ telling: Telling, _ text: TextChange?, to buffer: inout ByteBuffer
  ) {
    buffer.append("{\"jsonrpc\":\"2.0\",\"method\":\"didChange\",\"params\":")
    append(change, telling, text, to: &buffer)
  }

  /// Appends a notification of what was selected; of which text, if the subscriber hears of that.
  private func appendDidSelect(
    _ change: SelectionChange, _ text: TextChange?, to buffer: inout ByteBuffer
  ) {
    buffer.append("{\"jsonrpc\":\"2.0\",\"method\":\"didSelect\",\"params\":")
    buffer.append(openingFor: change.name)
    if let text {
      buffer.append(member: "revision", change.revision)
      buffer.append(",\"format\":\"textEdits\"")
      buffer.append(member: "textRevision", text.revision)
      buffer.append(cursorLine: text.cursorLine)
    }
    buffer.append(opsOf: change)
    buffer.append(selection: change.selection, cursor: change.cursor)
  }

  /// `subscribe`: tells a list as it is, or since a revision, and every change from then on.
  mutating func subscribe(
    _ message: SharedBytes, _ range: Range<Int>?, to out: inout ByteBuffer
  ) throws(Failure) {
    let params = try Params(
      message, range, known: ["list", "format", "content", "since", "maxOps"])
    let name = try params.require("list").requireString()
    let format = try params["format"]?.requireChoice(of: Format.self) ?? .stages
    let content = try params["content"]?.requireBoolean() ?? true
    let since = try params["since"]?.requireCount()
    let maxOps = try params["maxOps"]?.requireCount() ?? .max
    let subscription = Subscription(format: format, content: content, maxOps: maxOps)
    let list = store.listOrNew(name)
    if format == .textEdits { try openText(of: name) }
    subscriptions[name] = subscription
    // Opened just now, the text is that of the revision: nothing is to be told of it.
    let text = format == .textEdits ? try openText(of: name) : nil
    // Text edits begin at the text that the client has, which is known for the present one only.
    if let since, format != .textEdits || since == list.revision,
      let change = store.change(of: list, since: since)
    {
      selfCheck.note(change.changes, from: change.old, to: change.new)
      append(change, Telling(subscription), text, to: &out)
    } else {
      out.append(openingFor: name)
      out.append(member: "revision", list.revision)
      out.append(",\"snapshot\":{\"sections\":")
      SnapshotWriter(snapshot: list.snapshot, singleLine: singleLine).appendSections(to: &out)
      out.append("}")
      out.append(selection: list.selection.items, cursor: list.cursor, in: list.snapshot)
      out.append(numbersOf: list.view)
    }
    out.append("}")
  }

  /// `unsubscribe`: ends a subscription, if there is one.
  mutating func unsubscribe(
    _ message: SharedBytes, _ range: Range<Int>?, to out: inout ByteBuffer
  ) throws(Failure) {
    let params = try Params(message, range, known: ["list"])
    subscriptions[try params.require("list").requireString()] = nil
    out.append("null")
  }
}

extension TextChange? {
  /// Whether there is a text and it is another than before.
  fileprivate var isChange: Bool { self.map { $0.baseRevision != $0.revision } ?? false }
}
