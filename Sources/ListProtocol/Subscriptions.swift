import JSONBytes
import ListState

/// What a client wants to hear of a list.
struct Subscription {
  var format: Format
  var content: Bool
}

/// What a request has done that subscribers hear of, in the order in which they hear it.
enum ListEvent {
  case changed(ListChange)
  case selected(SelectionChange)
  case removed([UInt8])
}

extension ListService {
  func isSubscribed(_ name: [UInt8]) -> Bool { subscriptions[name] != nil }

  /// Answers a request with its change, and notes that change and those that follow from it.
  mutating func answer(_ changes: [ListChange], _ telling: Telling, to out: inout ByteBuffer) {
    append(changes[0], telling, to: &out)
    out.append("}")
    for change in changes { note(.changed(change)) }
  }

  /// Notes what was done for whoever has subscribed to the list.
  mutating func note(_ event: ListEvent) {
    var buffer = ByteBuffer()
    switch event {
    case .changed(let change):
      guard let subscription = subscriptions[change.name] else { return }
      if change.isRevision || !change.changes.stages.isEmpty {
        buffer.append("{\"jsonrpc\":\"2.0\",\"method\":\"didChange\",\"params\":")
        append(change, Telling(subscription), to: &buffer)
      } else if change.isMarked, let list = try? store.list(change.name) {
        appendDidSelect(store.marking(change), list, to: &buffer)
      } else {
        return
      }
    case .selected(let change):
      guard subscriptions[change.list.name] != nil, change.isMarked else { return }
      appendDidSelect(change, change.list, to: &buffer)
    case .removed(let name):
      guard subscriptions[name] != nil else { return }
      buffer.append("{\"jsonrpc\":\"2.0\",\"method\":\"didRemove\",\"params\":")
      buffer.append(openingFor: name)
    }
    if let request {
      buffer.append(",\"request\":")
      request.withBytes { buffer.append($0) }
    }
    buffer.append("}}")
    notifications.append(buffer.shared())
  }

  private func appendDidSelect(
    _ change: SelectionChange, _ list: NamedList, to buffer: inout ByteBuffer
  ) {
    buffer.append("{\"jsonrpc\":\"2.0\",\"method\":\"didSelect\",\"params\":")
    buffer.append(openingFor: list.name)
    buffer.append(opsOf: change, in: list.snapshot)
    buffer.append(selection: list.selection.items, cursor: list.cursor, in: list.snapshot)
  }

  /// `subscribe`: tells a list as it is, or since a revision, and every change from then on.
  mutating func subscribe(
    _ message: SharedBytes, _ range: Range<Int>?, to out: inout ByteBuffer
  ) throws(Failure) {
    let params = try Params(message, range, known: ["list", "format", "content", "since"])
    let name = try params.require("list").requireString()
    let format = try params["format"]?.requireChoice(of: Format.self) ?? .stages
    let content = try params["content"]?.requireBoolean() ?? true
    let since = try params["since"]?.requireCount()
    let subscription = Subscription(format: format, content: content)
    let list = store.listOrNew(name)
    subscriptions[name] = subscription
    if let since, let change = store.change(of: list, since: since) {
      append(change, Telling(subscription), to: &out)
    } else {
      out.append(openingFor: name)
      out.append(member: "revision", list.revision)
      out.append(",\"snapshot\":{\"sections\":")
      SnapshotWriter(snapshot: list.snapshot, singleLine: singleLine).appendSections(to: &out)
      out.append("}")
      out.append(selection: list.selection.items, cursor: list.cursor, in: list.snapshot)
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
