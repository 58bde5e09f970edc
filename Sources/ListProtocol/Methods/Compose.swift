import ByteBuffers
import ListState

/// `compose`: makes a list of the sections of others, or a view of their items, and answers with the
/// change.
struct Compose: ListRequest, ~Copyable {
  let list: [UInt8]
  let sources: [[UInt8]]
  var view: ViewRequest?
  var change = ChangeParams()

  /// Whether the list is removed when the client's connection ends; `nil` if that stays as it is.
  var isTemporary: Bool?

  static let members: ParamNames =
    [.list, .sources, .view, .latest, .temporary] + ChangeParams.members

  mutating func perform(on service: inout ListService) throws(Failure) -> ChangeResult {
    try service.context.checkCancellation()
    try service.openText(of: list, for: change.encoding)
    service.keepOldContents(of: list, change.encoding)
    do throws(ListFailure) {
      if let view,
        let made = try service.store.moveWindow(of: list, sources, view, change.request)
      {
        service.note(isTemporary, list)
        return service.report(made, of: change)
      }
      service.context.beginProgress(
        of: .compose,
        rows: max(
          sources.reduce(0) { $0 + service.rowCount(of: $1) }, service.rowCount(of: list)))
      let made = try service.store.compose(list, of: sources, as: view, change.request)
      service.note(isTemporary, list)
      service.noteExpansion()
      for change in made.selectedBefore { service.reportSelection(change) }
      let result = service.report(made.changes, of: change)
      for change in made.selectedAfter { service.reportSelection(change) }
      return result
    } catch { throw service.failure(error, change.named) }
  }
}

extension Compose {
  init(_ params: inout Params, _ service: inout ListService) throws(Failure) {
    let list = try service.newListName(params)
    _ = try params[.latest]?.requireBoolean()
    let isTemporary = try params[.temporary]?.requireBoolean()
    let sources = try Self.sources(of: list, params, service)
    var change = try ChangeParams(
      params, service, of: list, service.encoding(params, of: list))
    guard let value = params[.view] else {
      self.init(list: list, sources: sources, change: change, isTemporary: isTemporary)
      return
    }
    // The definition outlives the message.
    let copy = value.copied(as: .view)
    let (definition, anchor, levels) = try ViewReader.read(copy)
    if let levels,
      !service.store.lists(behind: sources).contains(where: { service.store.isOutline($0) })
    {
      throw .invalidParams(
        levels.pointer, expected: "a view whose source is an outline",
        "\(levels.pointer): unknown member \"$level\", which only rows of outlines have; "
          + "did you mean \"level\"?")
    }
    let lines = service.lines(of: list)
    let reference = try anchor.map { anchor throws(Failure) in
      try ItemReference.read(anchor, service.store.ids, lines)
    }
    change.named.anchor = anchor
    self.init(
      list: list, sources: sources, view: ViewRequest(definition, anchor: reference),
      change: change,
      isTemporary: isTemporary)
  }

  /// Returns the sources that the request names, or those that the composite has already.
  private static func sources(
    of list: [UInt8], _ params: borrowing Params, _ service: borrowing ListService
  ) throws(Failure) -> [[UInt8]] {
    if params[.sources] == nil, params[.view] != nil || params.isNull(.view),
      let sources = service.store.peek(list)?.sources
    {
      return sources
    }
    let sources = try params.require(.sources, expected: "an array of names").requireElements()
    var names: [[UInt8]] = []
    var known: Set<[UInt8]> = []
    // The sections of a single source need no name before them to be distinguished.
    let isPlainView = params[.view] != nil && sources.count == 1
    for source in sources {
      guard let name = source.string, isPlainView || !name.contains(0x2F) else {
        throw source.failure(expected: "the name of a list, without \"/\"")
      }
      guard known.insert(name).inserted else {
        throw source.failure(expected: "a list that is not a source already")
      }
      names.append(name)
    }
    return names
  }
}

extension ListStore {
  /// Returns some lists and those that they are made of, directly or not.
  ///
  /// - Complexity: O(*w*), where *w* is the number of these lists.
  func lists(behind names: [[UInt8]]) -> Set<[UInt8]> {
    var known = Set(names)
    var rest = names
    while let name = rest.popLast() {
      rest += peek(name)?.sources?.filter { known.insert($0).inserted } ?? []
    }
    return known
  }
}

extension Value {
  /// Copies the value into a message of its own.
  func copied(as root: Root) -> Value {
    Value(SharedBytes(copying: bytes), root)
  }
}

extension ByteBuffer {
  /// Appends the numbers of a view as a member; for other lists, appends nothing.
  mutating func append(numbersOf numbers: ViewNumbers?) {
    guard let numbers else { return }
    append(member: "view")
    append("{")
    append(member: "start", numbers.start)
    append(member: "matched", numbers.matched)
    append(member: "total", numbers.total)
    if let shown = numbers.shown { append(member: "shown", shown) }
    append("}")
  }
}
