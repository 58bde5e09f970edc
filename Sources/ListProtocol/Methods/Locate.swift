import ByteBuffers
import ListDiff
import ListState
import ListText
import ListViews

/// `locate`: the paths of items and sections, the items at paths and lines, and the items that match
/// a query.
struct Locate: ListRequest {
  let list: [UInt8]
  var items: [ItemReference]?
  var paths: [(section: Int, row: Int)]?

  /// The keys of sections; `nil` for identifiers that no list has.
  var sections: [UInt32?]?
  var lines: [Int]?

  /// Whether the lines of items are reported, too.
  var includesLines = false

  /// The query that found items are matched against.
  var match: ViewMatch?

  /// The search for items that match.
  var search: Search?

  /// The found items, rows, sections and lines, in the order of the request; `nil` for what does
  /// not exist.
  struct Result {
    let list: NamedList
    let contents: ContentWriter
    var text: RenderedText?
    var rows: ListRows { contents.rows }

    var matches: Matches?
    var items: [Int?]?
    var paths: [Int?]?
    var sections: [Int?]?
    var lines: [LineOwner?]?
  }

  static let members: ParamNames = [
    .list, .items, .paths, .sections, .lines, .text, .match, .from, .direction, .count,
  ]

  mutating func perform(on service: inout ListService) throws(Failure) -> Result {
    let form = ContentForm(singleLine: service.context.singleLine)
    guard let known = service.store.peek(list) else {
      throw service.failure(.listNotFound(list))
    }
    var result = Result(list: known, contents: ContentWriter(known.rows, form))
    if includesLines || lines != nil { result.text = try service.openText(of: list).new }
    do throws(ListFailure) {
      if let match, let search { result.matches = try search.perform(match, known, &service) }
      if let items { result.items = try service.store.locate(items, of: known) }
    } catch { throw service.failure(error, NamedValues(anchor: search?.value)) }
    result.paths = paths?.map { result.rows.row(section: $0.section, $0.row) }
    result.sections = sections.map { service.store.locate(sections: $0, of: known) }
    result.lines = lines?.map { result.text?.owner(ofLine: $0) }
    return result
  }
}

extension Locate {
  init(_ params: inout Params, _ service: inout ListService) throws(Failure) {
    list = try service.listName(params)
    match = try service.match(params[.match], of: service.store.peek(list)!)
    let isSearch = match != nil && params.first(of: .items, .paths, .lines) == nil
    if !isSearch, let other = params.first(of: .from, .direction, .count) {
      throw other.failure(expected: "a \"match\" and no items, paths and lines")
    }
    includesLines = try params[.text]?.requireBoolean() ?? false
    let references = service.lines(of: list)
    if isSearch { search = try Search(params, service.store.ids, references) }
    items = try params[.items].map { items throws(Failure) in
      try ItemReference.readAll(items, service.store.ids, references)
    }
    paths = try params[.paths].map { paths throws(Failure) in
      try paths.requireElements { path throws(Failure) in try path.requirePath() }
    }
    sections = try params[.sections].map { sections throws(Failure) in
      try sections.requireElements { section throws(Failure) in
        try SectionReference(section, service.store.ids).key
      }
    }
    lines = try params[.lines].map { lines throws(Failure) in
      try lines.requireElements { line throws(Failure) in try line.requireCount() }
    }
  }
}
