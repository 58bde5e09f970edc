import ByteBuffers
import JSONBytes
import ListState

extension ListService {
  /// `getLists`: every list with its sizes, in the order of their creation.
  func getLists(
    _ message: SharedBytes, _ range: Range<Int>?, to out: inout ByteBuffer
  ) throws(Failure) {
    _ = try Params(message, range, known: [])
    out.append("{\"lists\":[")
    for (index, name) in store.names.enumerated() {
      guard let list = store.summary(of: name) else { continue }
      if index > 0 { out.append(0x2C) }
      out.append(openingFor: list.name)
      out.append(member: "revision", list.revision)
      out.append(member: "sections", list.sections)
      out.append(member: "items", list.items)
      out.append(member: "rows", list.rows)
      out.append(member: "selected", list.selected)
      if let sources = list.sources {
        out.append(",\"sources\":")
        out.append(names: sources)
      }
      if let view = store.peek(name)?.view {
        out.append(numbersOf: view.numbers)
        out.append(",\"definition\":")
        view.rules.source.withUnsafeBytes { out.append(json: $0, singleLine: true) }
      }
      out.append("}")
    }
    out.append("]}")
  }
}
