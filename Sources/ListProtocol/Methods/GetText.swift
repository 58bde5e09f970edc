import ByteBuffers
import ListState
import ListText

/// `getText`: the text of a list or a range of its lines, its revision, and the line of the cursor.
struct GetText: ListRequest {
  let list: [UInt8]
  var options = TextOptions()

  /// The lines; `nil` for all.
  var window: Window?

  struct Result {
    /// The revision of the list; 0 if it does not exist.
    var revision: Int

    /// The open text; `nil` if the list does not exist.
    var text: TextChange?

    /// The numbers of a view.
    var numbers: ViewNumbers?
  }

  static let members: ParamNames = [.list, .spans, .selectedLines, .lines]

  mutating func perform(on service: inout ListService) throws(Failure) -> Result {
    // The text of a list that does not exist is not kept.
    guard let known = service.store.peek(list) else { return Result(revision: 0) }
    return Result(
      revision: known.revision, text: try service.openText(of: list, spans: options.spans),
      numbers: known.viewNumbers)
  }
}

extension GetText {
  init(_ params: inout Params, _ service: inout ListService) throws(Failure) {
    list = try service.newListName(params)
    options = try TextOptions(params, service.context.offsetUnit)
    window = try params[.lines].map { value throws(Failure) in try Window(value) }
  }

  func append(_ result: Result, of service: inout ListService, to out: inout ByteBuffer) {
    let text = result.text?.new ?? RenderedText()
    let lines = window?.range(in: text.lineCount) ?? 0..<text.lineCount
    out.append(openingFor: list, revision: result.revision)
    out.append(member: "textRevision", result.text?.revision ?? 0)
    out.append(member: "text")
    out.append(lines: lines, of: text)
    if window != nil {
      out.append(member: "start", lines.lowerBound)
      out.append(member: "lineCount", text.lineCount)
    }
    out.append(cursorLine: result.text?.cursorLine)
    if options.spans { out.append(spansOf: [lines], of: text, options.unit) }
    if options.selectedLines { out.append(selectedLinesOf: service.book.page(of: list)) }
    out.append(numbersOf: result.numbers)
    out.append("}")
  }
}
