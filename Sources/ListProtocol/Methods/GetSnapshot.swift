import ByteBuffers
import ListDiff
import ListState

/// `getSnapshot`: a whole snapshot of a list, or a window of its rows.
struct GetSnapshot: ListRequest {
  let list: [UInt8]

  /// The revision; `nil` for the current one.
  var revision: Int?

  /// The rows; `nil` for all sections.
  var window: Window?
  var form = ContentForm()

  struct Result {
    var revision: Int
    var content: Content
    var selection: [(at: Path, count: Int)]
    var cursor: Path?

    /// The numbers of a view at its current revision.
    var numbers: ViewNumbers?
  }

  enum Content {
    case sections(ContentWriter)
    case rows(Range<Int>, ContentWriter)
  }

  static let members: ParamNames = [.list, .revision, .window, .members]

  mutating func perform(on service: inout ListService) throws(Failure) -> Result {
    let found: ListRevision
    do throws(ListFailure) {
      found = try service.store.revision(revision, of: list)
    } catch { throw service.failure(error) }
    let contents = ContentWriter(found.rows, form)
    return Result(
      revision: found.revision,
      content: window.map { .rows($0.range(in: found.rows.rowCount), contents) }
        ?? .sections(contents),
      selection: found.selection, cursor: found.cursor, numbers: found.numbers)
  }
}

extension ListService {
  /// The lists with their revisions, in the order of their creation.
  package var revisions: [(list: [UInt8], revision: Int)] {
    store.names.map { ($0, store.peek($0)?.revision ?? 0) }
  }

  /// Returns the content of a list on one line, as an object with the member `sections`.
  package func content(of list: [UInt8]) -> SharedBytes {
    var text = ByteBuffer()
    text.append("{")
    text.append(member: "sections")
    ContentWriter(store.listOrNew(list).rows).appendSections(to: &text)
    text.append("}")
    return text.shared()
  }
}

extension GetSnapshot {
  init(_ params: inout Params, _ service: inout ListService) throws(Failure) {
    window = try params[.window].map { value throws(Failure) in try Window(value) }
    revision = try params[.revision]?.requireCount()
    form = try ContentForm(params, service.context)
    // At revision 0, every list exists and is empty.
    list = try revision == 0 ? service.newListName(params) : service.listName(params)
  }

  func append(
    _ result: Result, of service: inout ListService, to out: inout ByteBuffer
  ) throws(Failure) {
    out.append(openingFor: list, revision: result.revision)
    switch result.content {
    case .sections(let writer):
      out.append(member: "sections")
      writer.appendSections(to: &out, isStopped: service.store.isCancelled)
      try service.context.checkCancellation()
    case .rows(let range, let writer):
      out.append(member: "total", writer.rows.rowCount)
      out.append(member: "start", window?.start ?? range.lowerBound)
      out.append(list: "rows", range.count) { index, out in
        let row = range.lowerBound + index
        out.append("{")
        out.append(member: "at", writer.rows.path(ofRow: row))
        out.append(member: "content")
        writer.appendRow(row, to: &out)
        out.append("}")
      }
    }
    out.append(selection: result.selection, cursor: result.cursor)
    out.append(numbersOf: result.numbers)
    out.append("}")
  }
}
