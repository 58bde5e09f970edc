import JSONBytes
import ListState
import ListText

extension ListService {
  /// `getText`: the text of a list, its number, and the line of the cursor.
  mutating func getText(
    _ message: SharedBytes, _ range: Range<Int>?, to out: inout ByteBuffer
  ) throws(Failure) {
    let name = try Params(message, range, known: ["list"]).require("list").requireString()
    guard store.contains(name) else {
      // That of a list that does not exist is not kept.
      out.append(openingFor: name)
      out.append(",\"revision\":0,\"textRevision\":0,\"text\":\"\",\"cursorLine\":null}")
      return
    }
    let list = store.listOrNew(name)
    let text = try openText(of: name)
    out.append(openingFor: name)
    out.append(member: "revision", list.revision)
    out.append(member: "textRevision", text.revision)
    out.append(",\"text\":")
    text.new.bytes.withUnsafeBytes { out.append(string: $0) }
    out.append(cursorLine: text.cursorLine)
    out.append(numbersOf: list.view)
    out.append("}")
  }

  /// `registerTemplates`: says what rows, headers and footers look like.
  mutating func registerTemplates(
    _ message: SharedBytes, _ range: Range<Int>?, to out: inout ByteBuffer
  ) throws(Failure) {
    let params = try Params(message, range, known: ["templates"])
    let value = try params.require("templates", expected: "an object of templates")
    guard let members = value.members else {
      throw value.failure(expected: "an object of templates")
    }
    var registered = book
    for (name, value) in members where value.kind != .null {
      let source = try value.requireString()
      do {
        try registered.register(source, as: Array(name.utf8))
      } catch {
        throw .invalidParams(
          value.pointer, expected: "a template in which every brace has its other",
          "\(value.pointer): the brace at byte \(error.offset) has no other; "
            + "{{ and }} stand for braces")
      }
    }
    try checkCancellation()
    book = registered
    out.append("null")
    for (name, text) in updateTexts() { note(.rendered(name, text)) }
  }
}
