import ByteBuffers
import ListState
import ListText

/// `subscribe`: answers with the list, or its change since a revision; from then on, every change is
/// sent.
struct Subscribe: ListRequest {
  let list: [UInt8]
  var encoding: ChangeEncoding

  /// The revision of the list, and that of its text, that the client has.
  var since: Int?
  var sinceText: Int?

  enum Result {
    case snapshot(NamedList)
    case change(ListChange)
    case text(TextChange, NamedList)
  }

  static let members: ParamNames =
    [.list, .format, .content, .moves, .members, .since, .sinceText, .maxOps] + TextOptions.members

  mutating func perform(on service: inout ListService) throws(Failure) -> Result {
    let known = service.store.peek(list) ?? NamedList(name: list)
    let text =
      encoding.format == .textEdits
      ? try service.openText(of: list, spans: encoding.text.spans) : nil
    service.addSubscription(to: list, encoding)
    if let text { return .text(text, known) }
    if since == known.revision { return .change(ListChange(unchanged: known)) }
    if let since, let change = service.store.change(of: known, since: since) {
      service.selfCheck.record(
        change, from: (try? known.snapshot(of: since)) ?? Snapshot(), to: known.shownItems)
      return .change(change)
    }
    return .snapshot(known)
  }
}

extension Subscribe {
  init(_ params: inout Params, _ service: inout ListService) throws(Failure) {
    list = try service.newListName(params)
    encoding = try ChangeEncoding(params, service.context, content: .new)
    since = try params[.since]?.requireCount()
    sinceText = try params[.sinceText]?.requireCount()
    if encoding.format != .textEdits, let value = params[.sinceText] {
      throw value.failure(expected: "\"format\": \"textEdits\" beside it")
    }
  }

  func append(_ result: Result, of service: inout ListService, to out: inout ByteBuffer) {
    switch result {
    case .text(let text, let known): append(text, of: known, service, to: &out)
    case .change(let change): service.append(change, encoding, nil, to: &out)
    case .snapshot(let known):
      out.append(openingFor: list, revision: known.revision)
      out.append(member: "snapshot")
      out.append("{")
      out.append(member: "sections")
      ContentWriter(known.rows, encoding.form).appendSections(to: &out)
      out.append("}")
      append(marksOf: known, to: &out)
    }
    out.append("}")
  }

  /// Appends the edits since the text that the client has if they are known, otherwise the whole
  /// text.
  private func append(
    _ text: TextChange, of known: NamedList, _ service: borrowing ListService,
    to out: inout ByteBuffer
  ) {
    let page = service.book.page(of: list)
    let difference = sinceText.flatMap {
      page?.steps.difference(
        since: $0, present: text.revision, comparingSpans: encoding.text.spans)
    }
    out.append(openingFor: list, revision: known.revision)
    if let sinceText, let difference, difference.edits.count <= encoding.maxOps {
      out.append(member: "format", string: "textEdits")
      out.append(member: "textEdits")
      service.append(difference, of: text.new, encoding.text, to: &out)
      out.append(member: "baseTextRevision", sinceText)
    } else {
      out.append(member: "text")
      out.append(lines: 0..<text.new.lineCount, of: text.new)
      if encoding.text.spans {
        out.append(spansOf: [0..<text.new.lineCount], of: text.new, encoding.text.unit)
      }
    }
    out.append(member: "textRevision", text.revision)
    out.append(cursorLine: text.cursorLine)
    if encoding.text.selectedLines { out.append(selectedLinesOf: page) }
    append(marksOf: known, to: &out)
  }

  /// Appends the selection, the cursor and the numbers of a view.
  private func append(marksOf known: NamedList, to out: inout ByteBuffer) {
    out.append(selection: known.selectedRows, cursor: known.cursorPath)
    out.append(numbersOf: known.viewNumbers)
  }
}
