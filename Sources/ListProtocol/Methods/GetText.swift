import ByteBuffers
import ListState
import ListText

extension ListService {
  /// `getText`: the text of a list or a range of its lines, its revision, and the line of the
  /// cursor.
  mutating func getText(
    _ message: SharedBytes, _ range: Range<Int>?, to out: inout ByteBuffer
  ) throws(Failure) {
    let params = try Params(message, range, known: [.list, .spans, .selectedLines, .lines])
    let name = try params.require(.list).requireString()
    let options = try TextOptions(params, offsetUnit)
    let window = try params[.lines].map { value throws(Failure) in try Window(value) }
    // The text of a list that does not exist is not kept.
    let list = store.peek(name)
    let text = list == nil ? nil : try openText(of: name, spans: options.spans)
    let rendered = text?.new ?? RenderedText()
    let lines = window?.range(in: rendered.lineCount) ?? 0..<rendered.lineCount
    out.append(openingFor: name)
    out.append(member: "revision", list?.revision ?? 0)
    out.append(member: "textRevision", text?.revision ?? 0)
    out.append(",\"text\":")
    out.append(lines: lines, of: rendered)
    if window != nil {
      out.append(member: "start", lines.lowerBound)
      out.append(member: "lineCount", rendered.lineCount)
    }
    out.append(cursorLine: text?.cursorLine)
    if options.spans { out.append(spansOf: [lines], of: rendered, options.unit) }
    if options.selectedLines { out.append(selectedLinesOf: book.page(of: name)) }
    out.append(numbersOf: list?.view?.numbers)
    out.append("}")
  }
}
