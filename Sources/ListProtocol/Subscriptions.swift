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

    /// What is sent beside edits of a text.
    var text = TextOptions()
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
      message, range,
      known: ["list", "format", "content", "since", "sinceText", "maxOps"] + TextOptions.members)
    let name = try params.require("list").requireString()
    let format = try params["format"]?.requireChoice(of: Format.self) ?? .stages
    let form = Subscription.Form(
      format: format, content: try params["content"]?.requireBoolean() ?? true,
      singleLine: singleLine, maxOps: try params["maxOps"]?.requireCount() ?? .max,
      text: try TextOptions(params, offsetUnit))
    let since = try params["since"]?.requireCount()
    let sinceText = try params["sinceText"]?.requireCount()
    if format != .textEdits, let value = params["sinceText"] {
      throw value.failure(expected: "\"format\": \"textEdits\" beside it")
    }
    let list = store.listOrNew(name)
    let text = format == .textEdits ? try openText(of: name, spans: form.text.spans) : nil
    removeSubscription(to: name)
    let index = subscriptions[name]?.firstIndex { $0.client > client }
    subscriptions[name, default: []].insert(
      Subscription(client: client, form: form), at: index ?? subscriptions[name]?.count ?? 0)
    if let text {
      append(text, of: list, since: sinceText, form, to: &out)
    } else if let since, let change = store.change(of: list, since: since) {
      selfCheck.note(change)
      append(change, Telling(form), nil, to: &out)
    } else {
      out.append(openingFor: name)
      out.append(member: "revision", list.revision)
      out.append(",\"snapshot\":{\"sections\":")
      SnapshotWriter(snapshot: list.snapshot, singleLine: singleLine).appendSections(to: &out)
      out.append("}")
      out.append(selection: list.selection.items, cursor: list.cursor, in: list.snapshot)
      out.append(numbersOf: list.view?.numbers)
    }
    out.append("}")
  }

  /// Appends the first answer to a subscriber of a text, without its end: the edits since a text, if that
  /// is known, else the whole text.
  private mutating func append(
    _ text: TextChange, of list: NamedList, since number: Int?, _ form: Subscription.Form,
    to out: inout ByteBuffer
  ) {
    let page = book.page(of: list.name)
    let edits = number.flatMap { page?.steps.edits(since: $0, present: text.revision) }
    out.append(openingFor: list.name)
    out.append(member: "revision", list.revision)
    if let number, let edits, edits.count <= form.maxOps {
      out.append(",\"format\":\"textEdits\",\"textEdits\":")
      out.append(edits, of: text.new)
      out.append(member: "baseTextRevision", number)
      if form.text.spans {
        out.append(spansOf: edits.map(\.new), of: text.new, form.text.unit)
      }
    } else {
      out.append(",\"text\":")
      text.new.bytes.withUnsafeBytes { out.append(string: $0) }
      if form.text.spans {
        out.append(spansOf: [0..<text.new.lineCount], of: text.new, form.text.unit)
      }
    }
    out.append(member: "textRevision", text.revision)
    out.append(cursorLine: text.cursorLine)
    if form.text.selectedLines { out.append(selectedLinesOf: page) }
    out.append(selection: list.selection.items, cursor: list.cursor, in: list.snapshot)
    out.append(numbersOf: list.view?.numbers)
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
