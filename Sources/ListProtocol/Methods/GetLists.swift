import ByteBuffers
import JSONBytes
import ListState

/// `getLists`: every list with its sizes, in the order of their creation.
struct GetLists: ListRequest {
  /// A list, and its state as a view if it is one.
  typealias Result = [(summary: ListSummary, view: ViewState?)]

  static let members: ParamNames = []

  mutating func perform(on service: inout ListService) -> Result {
    service.store.names.compactMap { name in
      service.store.summary(of: name).map { ($0, service.store.peek(name)?.view) }
    }
  }
}

extension GetLists {
  init(_ params: inout Params, _ service: inout ListService) throws(Failure) {}

  func append(_ result: Result, of service: inout ListService, to out: inout ByteBuffer) {
    out.append("{")
    out.append(list: "lists", result.count) { index, out in
      let (list, view) = result[index]
      out.append(openingFor: list.name, revision: list.revision)
      out.append(member: "sections", list.sections)
      out.append(member: "items", list.items)
      out.append(member: "rows", list.rows)
      out.append(member: "selected", list.selected)
      if let sources = list.sources {
        out.append(member: "sources")
        out.append(names: sources)
      }
      if let fed = service.fed[list.name] {
        out.append(member: "feed")
        fed.source.written.withBytes { out.append(json: $0, singleLine: true) }
        out.append(member: "state")
        fed.state.write(items: list.items, to: &out)
        if fed.source.isFolder, !fed.isRead { out.append(member: "reading", true) }
      }
      if let view {
        out.append(numbersOf: view.numbers)
        out.append(member: "definition")
        view.rules.source.withUnsafeBytes { out.append(json: $0, singleLine: true) }
      }
      out.append("}")
    }
    out.append("}")
  }
}
