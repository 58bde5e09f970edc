import ByteBuffers
import ListState
import ListText

extension ListService {
  /// `subscribe`: answers with the list, or its change since a revision; from then on, every change
  /// is sent.
  mutating func subscribe(
    _ message: SharedBytes, _ range: Range<Int>?, to out: inout ByteBuffer
  ) throws(Failure) {
    let params = try Params(
      message, range,
      known: [.list, .format, .content, .since, .sinceText, .maxOps] + TextOptions.members)
    let name = try params.require(.list).requireString()
    let format = try params[.format]?.requireChoice(of: Format.self) ?? .stages
    let form = Subscription.Form(
      format: format, content: try params[.content]?.requireBoolean() ?? true,
      singleLine: singleLine, maxOps: try params[.maxOps]?.requireCount() ?? .max,
      text: try TextOptions(params, offsetUnit))
    let since = try params[.since]?.requireCount()
    let sinceText = try params[.sinceText]?.requireCount()
    if format != .textEdits, let value = params[.sinceText] {
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
      selfCheck.record(change)
      append(change, ChangeEncoding(form), nil, to: &out)
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

  /// Appends the answer to a subscription to a text, without the closing brace: the edits since
  /// text `number` if they are known, otherwise the whole text.
  private mutating func append(
    _ text: TextChange, of list: NamedList, since number: Int?, _ form: Subscription.Form,
    to out: inout ByteBuffer
  ) {
    let page = book.page(of: list.name)
    let difference = number.flatMap {
      page?.steps.difference(
        since: $0, present: text.revision, comparingSpans: form.text.spans)
    }
    out.append(openingFor: list.name)
    out.append(member: "revision", list.revision)
    if let number, let difference, difference.edits.count <= form.maxOps {
      out.append(",\"format\":\"textEdits\",\"textEdits\":")
      out.append(difference.edits, of: text.new)
      append(difference, of: text.new, form.text, to: &out)
      out.append(member: "baseTextRevision", number)
    } else {
      out.append(",\"text\":")
      out.append(lines: 0..<text.new.lineCount, of: text.new)
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
}
