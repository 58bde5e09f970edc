import JSONBytes
import ListState

/// A message for a client that has subscribed to a list.
package struct ListNotification {
  package let client: Int

  /// The message without the member `request`, and a line feed; shared by subscribers.
  let line: SharedBytes

  /// The raw id of the client's request that has caused it.
  let request: SharedBytes?

  /// The length of the message, in bytes.
  package var count: Int {
    line.count - 1 + (request.map { $0.count + Self.requestName.utf8CodeUnitCount } ?? 0)
  }

  /// The message and a line feed; `nil` if other subscribers are sent another one.
  package var sharedLine: SharedBytes? { request == nil ? line : nil }

  private static let requestName: StaticString = ",\"request\":"

  /// What follows the last member.
  static let end: StaticString = "}}\n"

  /// Appends the message.
  package func write(to out: inout ByteBuffer) {
    let end = line.count - Self.end.utf8CodeUnitCount
    line.withBytes { out.append(UnsafeRawBufferPointer(rebasing: $0[..<end])) }
    if let request {
      out.append(Self.requestName)
      request.withBytes { out.append($0) }
    }
    out.append("}}")
  }
}

/// What a request has done that subscribers hear of, in the order in which they hear it.
enum ListEvent {
  case changed(ListChange, TextChange?)
  /// Edits of a list whose text nobody has opened.
  case edited(EditChange)
  case selected(SelectionChange, TextChange?)
  /// The text of a list is another, by other templates.
  case rendered([UInt8], TextChange)
  /// Items of an outline were expanded whose children are awaited.
  case expanded([UInt8], [AwaitedItem])
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
    case .rendered(let name, _), .expanded(let name, _), .removed(let name): name
    }
  }
}

extension ListService {
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

  /// Notes what was done, for the clients that have subscribed to the list.
  ///
  /// It is encoded once for each form that subscribers want.
  mutating func note(_ event: ListEvent) {
    if selfCheck.isOn { noteForCheck(event) }
    guard let subscriptions = subscriptions[event.list] else { return }
    if case .expanded(let name, let items) = event {
      for index in subscriptions.indices {
        self.subscriptions[name]![index].behind?.awaited.formUnion(items.map(\.key))
      }
    }
    var encoded: [(form: Subscription.Form, line: SharedBytes?)] = []
    for subscription in subscriptions where subscription.behind == nil {
      let known = encoded.first { $0.form == subscription.form }
      let line = known.map(\.line) ?? encode(event, subscription.form)
      if known == nil { encoded.append((subscription.form, line)) }
      guard let line else { continue }
      let isCause = subscription.client == client && !event.isRemoval
      let notification = ListNotification(
        client: subscription.client, line: line, request: isCause ? request : nil)
      if known == nil { notificationBytes += notification.count }
      notifications.append(notification)
    }
  }

  /// Returns the line of a notification of what was done; `nil` if a subscriber hears nothing.
  mutating func encode(
    _ event: ListEvent, _ form: Subscription.Form, _ telling: Telling? = nil
  ) -> SharedBytes? {
    let own = singleLine
    singleLine = form.singleLine
    defer { singleLine = own }
    let telling = telling ?? Telling(form)
    let hearsText = form.format == .textEdits
    var buffer = ByteBuffer()
    switch event {
    case .changed(let change, let text):
      if change.isRevision || !change.changes.stages.isEmpty || change.isRenumbered
        || hearsText && text.isChange(form)
      {
        appendDidChange(change, telling, text, to: &buffer)
      } else if change.isMarked {
        appendDidSelect(store.marking(change), hearsText ? text : nil, form, to: &buffer)
      } else {
        return nil
      }
    case .edited(let change):
      if change.isReported || change.isRenumbered {
        buffer.append("{\"jsonrpc\":\"2.0\",\"method\":\"didChange\",\"params\":")
        append(change, telling, to: &buffer)
      } else if let marking = change.marking {
        appendDidSelect(marking, nil, form, to: &buffer)
      } else {
        return nil
      }
    case .selected(let change, let text):
      if hearsText, text.isChange(form) {
        let marked = ListChange(marking: change, of: store.listOrNew(change.name))
        appendDidChange(marked, telling, text, to: &buffer)
      } else if change.isMarked {
        appendDidSelect(change, hearsText ? text : nil, form, to: &buffer)
      } else {
        return nil
      }
    case .rendered(let name, let text):
      guard hearsText, Optional(text).isChange(form), let list = try? store.list(name) else {
        return nil
      }
      appendDidChange(ListChange(unchanged: list), telling, text, to: &buffer)
    case .expanded(let name, let items):
      var references: [SharedBytes] = []
      for item in items {
        if let reference = reference(to: item) { references.append(reference) }
      }
      guard !references.isEmpty else { return nil }
      buffer.append("{\"jsonrpc\":\"2.0\",\"method\":\"didExpand\",\"params\":")
      buffer.append(openingFor: name)
      buffer.append(list: "items", references.count) { index, out in
        references[index].withBytes { out.append($0) }
      }
    case .removed(let name):
      buffer.append("{\"jsonrpc\":\"2.0\",\"method\":\"didRemove\",\"params\":")
      buffer.append(openingFor: name)
    }
    buffer.append(ListNotification.end)
    // It may wait for clients that do not read, and the buffer has room that it does not need.
    return buffer.withUnsafeBytes { SharedBytes(copying: $0) }
  }

  mutating func appendDidChange(
    _ change: ListChange, _ telling: Telling, _ text: TextChange?, to buffer: inout ByteBuffer
  ) {
    buffer.append("{\"jsonrpc\":\"2.0\",\"method\":\"didChange\",\"params\":")
    append(change, telling, text, to: &buffer)
  }

  /// Appends a notification of what was selected; of which text, if the subscriber hears of that.
  func appendDidSelect(
    _ change: SelectionChange, _ text: TextChange?, _ form: Subscription.Form,
    to buffer: inout ByteBuffer
  ) {
    buffer.append("{\"jsonrpc\":\"2.0\",\"method\":\"didSelect\",\"params\":")
    buffer.append(openingFor: change.name)
    if let text {
      buffer.append(member: "revision", change.revision)
      buffer.append(",\"format\":\"textEdits\"")
      buffer.append(member: "textRevision", text.revision)
      buffer.append(cursorLine: text.cursorLine)
      if form.text.selectedLines { buffer.append(selectedLinesOf: book.page(of: change.name)) }
    }
    buffer.append(opsOf: change)
    buffer.append(selection: change.selection, cursor: change.cursor)
  }
}

extension TextChange? {
  /// Whether there is a text and it is another than before.
  fileprivate func isChange(_ form: Subscription.Form) -> Bool {
    self.map { $0.isChange(comparingSpans: form.text.spans) } ?? false
  }
}
