import JSONBytes
import ListState

/// What a client wants to hear of a list.
struct Subscription {
  let client: Int
  var form: Form

  /// What the client had of the list when its notifications were paused; `nil` if they are not.
  var behind: ListBehind?

  /// How notifications are encoded. Subscribers with equal forms share the bytes.
  struct Form: Equatable {
    var format: Format
    var content: Bool
    var singleLine: Bool
    var maxOps = Int.max
  }
}

extension ListService {
  /// Whether the client whose request is being answered has subscribed to a list.
  func isSubscribed(_ name: [UInt8]) -> Bool {
    subscriptions[name]?.contains { $0.client == client } ?? false
  }

  /// Whether any client has subscribed to the text of a list.
  func hasTextSubscriber(_ name: [UInt8]) -> Bool {
    subscriptions[name]?.contains { $0.form.format == .textEdits } ?? false
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
    let list = store.listOrNew(name)
    if format == .textEdits { try openText(of: name) }
    let form = Subscription.Form(
      format: format, content: content, singleLine: singleLine, maxOps: maxOps)
    removeSubscription(to: name)
    let index = subscriptions[name]?.firstIndex { $0.client > client }
    subscriptions[name, default: []].insert(
      Subscription(client: client, form: form), at: index ?? subscriptions[name]?.count ?? 0)
    // Opened just now, the text is that of the revision: nothing is to be told of it.
    let text = format == .textEdits ? try openText(of: name) : nil
    // Text edits begin at the text that the client has, which is known for the present one only.
    if let since, format != .textEdits || since == list.revision,
      let change = store.change(of: list, since: since)
    {
      selfCheck.note(change.changes, from: change.old, to: change.new)
      append(change, Telling(form), text, to: &out)
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
    removeSubscription(to: try params.require("list").requireString())
    out.append("null")
  }

  private mutating func removeSubscription(to name: [UInt8]) {
    subscriptions[name]?.removeAll { $0.client == client }
    if subscriptions[name]?.isEmpty ?? false { subscriptions[name] = nil }
  }

  /// Ends all subscriptions of a client.
  package mutating func removeSubscriptions(of client: Int) {
    subscriptions = subscriptions.mapValues { $0.filter { $0.client != client } }
      .filter { !$0.value.isEmpty }
  }
}
