import ByteBuffers
import ListState

/// A message to a client that has subscribed to a list.
package struct ListNotification {
  package let client: Int

  /// The message without the member `request`, and a line feed. Subscribers share it.
  let line: SharedBytes

  /// The raw id of the client's request that caused the message.
  let request: SharedBytes?

  /// The length of the message in bytes.
  package var count: Int {
    line.count - 1 + (request.map { $0.count + Self.requestName.utf8CodeUnitCount } ?? 0)
  }

  /// The message and a line feed, if it is the same for all subscribers.
  package var sharedLine: SharedBytes? { request == nil ? line : nil }

  private static let requestName: StaticString = ",\"request\":"

  /// The end of every message, after its last member.
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

/// An effect of a request that subscribers are notified of.
enum ListEvent {
  case changed(ListChange, TextChange?)
  case selected(SelectionChange, TextChange?)
  /// The text of a list has changed because templates have.
  case rendered([UInt8], TextChange)
  /// Items of an outline were expanded whose children are awaited.
  case expanded([UInt8], [AwaitedItem])
  case removed([UInt8])
  /// The state of a list's feed has changed.
  case fed([UInt8])

  /// The list that has changed.
  var list: [UInt8] {
    switch self {
    case .changed(let change, _): change.name
    case .selected(let change, _): change.name
    case .rendered(let name, _), .expanded(let name, _), .removed(let name), .fed(let name): name
    }
  }
}

extension ListService {
  /// Reports whether events of a list have subscribers, or are checked.
  func isReported(_ list: [UInt8]) -> Bool { selfCheck.isOn || subscriptions[list] != nil }

  /// Queues the notifications of an event for the subscribers of its list.
  ///
  /// The event is encoded once for each encoding that subscribers use.
  mutating func report(_ event: ListEvent) {
    if selfCheck.isOn { recordForCheck(event) }
    guard let subscriptions = subscriptions[event.list] else { return }
    for index in subscriptions.indices where subscriptions[index].paused != nil {
      switch event {
      case .expanded(let name, let items):
        self.subscriptions[name]![index].paused?.awaited.formUnion(items.map(\.key))
      case .fed(let name): self.subscriptions[name]![index].paused?.missesFeedState = true
      default: break
      }
    }
    var encoded: [(encoding: ChangeEncoding, line: SharedBytes?)] = []
    for subscription in subscriptions where subscription.paused == nil {
      let known = encoded.first { $0.encoding == subscription.encoding }
      let line = known.map(\.line) ?? encode(event, subscription.encoding)
      if known == nil { encoded.append((subscription.encoding, line)) }
      guard let line else { continue }
      var isCause = subscription.client == context.client
      if case .removed = event { isCause = false }
      let notification = ListNotification(
        client: subscription.client, line: line, request: isCause ? context.id : nil)
      if known == nil { notificationBytes += notification.count }
      notifications.append(notification)
    }
  }

  /// Returns the line of the notification of an event; `nil` if it does not concern such
  /// subscribers.
  mutating func encode(
    _ event: ListEvent, _ encoding: ChangeEncoding
  ) -> SharedBytes? {
    let followsText = encoding.format == .textEdits
    /// Reports whether the cursor is on another line of a text that the subscriber follows.
    func movesCursor(_ text: TextChange?) -> Bool { followsText && text?.movesCursor == true }
    var buffer = ByteBuffer()
    switch event {
    case .changed(let change, let text):
      if change.isOfContent || followsText && text.isChange(encoding) {
        appendDidChange(change, encoding, text, to: &buffer)
      } else if let marking = marking(of: change, isWanted: movesCursor(text)) {
        appendDidSelect(marking, followsText ? text : nil, encoding, to: &buffer)
      } else {
        return nil
      }
    case .selected(let change, let text):
      if followsText, text.isChange(encoding) {
        let list = store.peek(change.name) ?? NamedList(name: change.name)
        appendDidChange(ListChange(marking: change, of: list), encoding, text, to: &buffer)
      } else if change.changesMarks || movesCursor(text) {
        appendDidSelect(change, followsText ? text : nil, encoding, to: &buffer)
      } else {
        return nil
      }
    case .rendered(let name, let text):
      guard followsText, Optional(text).isChange(encoding), let list = store.peek(name) else {
        return nil
      }
      appendDidChange(ListChange(unchanged: list), encoding, text, to: &buffer)
    case .expanded(let name, let items):
      var references: [SharedBytes] = []
      for item in items {
        if let reference = reference(to: item) { references.append(reference) }
      }
      guard !references.isEmpty else { return nil }
      buffer.append(notification: "didExpand")
      buffer.append(openingFor: name)
      buffer.append(list: "items", references.count) { index, out in
        references[index].withBytes { out.append($0) }
      }
    case .fed(let name):
      guard fed[name] != nil else { return nil }
      buffer.append(notification: "didFeed")
      buffer.append(openingFor: name)
      buffer.append(member: "state")
      append(feedStateOf: name, to: &buffer)
    case .removed(let name):
      buffer.append(notification: "didRemove")
      buffer.append(openingFor: name)
    }
    buffer.append(ListNotification.end)
    // Clients that do not read may keep the line for long, so its memory is not larger than needed.
    return buffer.withUnsafeBytes { SharedBytes(copying: $0) }
  }

  private mutating func appendDidChange(
    _ change: ListChange, _ encoding: ChangeEncoding, _ text: TextChange?,
    to buffer: inout ByteBuffer
  ) {
    buffer.append(notification: "didChange")
    append(change, encoding, text, to: &buffer)
  }

  /// Returns the selected and deselected items of a change that has not changed anything else; if there are
  /// none, the present ones if these are wanted, else `nil`.
  private func marking(of change: ListChange, isWanted: Bool) -> SelectionChange? {
    change.marking ?? (isWanted ? store.unchangedMarks(of: change.name) : nil)
  }

  /// Appends a notification of a changed selection, and of its text if the subscriber follows that.
  private func appendDidSelect(
    _ change: SelectionChange, _ text: TextChange?, _ encoding: ChangeEncoding,
    to buffer: inout ByteBuffer
  ) {
    buffer.append(notification: "didSelect")
    buffer.append(openingFor: change.name)
    if let text {
      buffer.append(member: "revision", change.revision)
      buffer.append(member: "format", string: "textEdits")
      buffer.append(member: "textRevision", text.revision)
      buffer.append(cursorLine: text.cursorLine)
      if encoding.text.selectedLines { buffer.append(selectedLinesOf: book.page(of: change.name)) }
    }
    buffer.append(opsOf: change)
    buffer.append(selection: change.selection, cursor: change.cursor)
  }
}

extension ByteBuffer {
  /// Appends the opening of a notification up to its params.
  mutating func append(notification method: StaticString) {
    append("{\"jsonrpc\":\"2.0\",\"method\":\"")
    append(method)
    append("\",\"params\":")
  }
}

extension TextChange? {
  /// Reports whether the text has changed.
  fileprivate func isChange(_ encoding: ChangeEncoding) -> Bool {
    self.map { $0.isChange(comparingSpans: encoding.text.spans) } ?? false
  }
}
