import ByteBuffers
import JSONBytes
import JSONRPC
import ListDiff
import ListState

/// `applySnapshot`: replaces the snapshot of a list and answers with the change.
struct ApplySnapshot: ListRequest, ~Copyable {
  let list: [UInt8]
  var content: Content
  var change = ChangeParams()

  /// The content that the list gets.
  enum Content {
    case snapshot(ReadSnapshot)
    case reference(SnapshotReference)
  }

  static let members: [ParamName] =
    [.list, .sections, .items, .key, .snapshot, .latest] + ChangeParams.members

  mutating func perform(on service: inout ListService) throws(Failure) -> ChangeResult {
    try service.checkNotFed(list)
    try service.context.checkCancellation()
    try service.openText(of: list, for: change.encoding)
    service.keepOldContents(of: list, change.encoding)
    var new: ReadSnapshot
    switch content {
    case .snapshot(let snapshot):
      new = snapshot
      // Only the comparison keeps what is known about the items.
      content = .snapshot(ReadSnapshot(snapshot: Snapshot()))
    case .reference(let reference):
      if let state = reference.state, state.list == list {
        let rows = state.edits.map { $0.edits.rowCount ?? service.rowCount(of: list) }
        service.context.beginProgress(of: .applySnapshot, rows: rows ?? 0)
        if let made = try returnTo(state, on: &service) {
          service.store.setItemKey(nil, of: list)
          return service.report(made, rowLine: change.newRowLine)
        }
      }
      new = ReadSnapshot(
        snapshot: try service.ordinarySnapshot(of: reference, at: "/params/snapshot"))
    }
    service.context.beginProgress(
      of: .applySnapshot, rows: max(new.snapshot.rowCount, service.rowCount(of: list)))
    let changes: [ListChange]
    do throws(ListFailure) {
      var same: [MatchedRun] = []
      swap(&same, &new.same)
      let adopted = try service.store.adopt(
        new.snapshot, as: list, same: same, change.request)
      if let adopted {
        setItemKey(on: &service)
        service.context.reportProgress("encoding the change", percentage: 90)
        return service.report(adopted, rowLine: change.newRowLine)
      }
      changes = try service.store.replace(
        list, with: new.snapshot, change.request, same: consume same)
    } catch { throw service.failure(error, change.named) }
    setItemKey(on: &service)
    service.context.reportProgress("encoding the change", percentage: 90)
    return service.report(changes, rowLine: change.newRowLine)
  }

  /// Records which members identify the items that the list has got.
  private func setItemKey(on service: inout ListService) {
    switch content {
    case .snapshot: service.store.setItemKey(service.context.itemKey?.names ?? [], of: list)
    case .reference: service.store.setItemKey(nil, of: list)
    }
  }

  /// Gives the list the content of an earlier state of its own by the steps between. Returns `nil`
  /// if that is not possible.
  private func returnTo(
    _ state: ReferencedState, on service: inout ListService
  ) throws(Failure) -> [EditChange]? {
    guard let current = service.store.peek(list)?.revision else { return nil }
    var edits = state.edits?.edits ?? Edits()
    do throws(ListFailure) {
      return try service.store.editTree(
        list, from: state.revision ?? current, &edits, change.request)
    } catch {
      throw try service.failure(error, ofEdits: state.edits?.value, of: list, change.named)
    }
  }
}

extension ApplySnapshot {
  init(_ params: borrowing Params, _ service: inout ListService) throws(Failure) {
    let list: [UInt8]
    if let name = service.readAhead.list {
      list = name
    } else {
      list = try params.require(.list).requireString()
    }
    _ = try params[.latest]?.requireBoolean()
    try params.requireOne(
      of: .sections, .items, .snapshot, expected: "exactly one of sections, items and snapshot")
    let encoding = try ChangeEncoding(
      params, service.context, isWanted: !service.isSubscribed(list))
    service.context.itemKey = try params[.key].map { key throws(Failure) in try ItemKey(key) }
    let content: Content
    if let value = params[.snapshot] {
      content = .reference(try service.reference(value))
    } else if let snapshot = service.takeSnapshotReadAhead() {
      content = .snapshot(snapshot)
    } else {
      let (sections, items) = (params[.sections], params[.items])
      var reader = SnapshotReader((sections ?? items)!.message)
      reader.itemKey = service.context.itemKey
      reader.takesOutlineRows = service.takesOutlineRows
      content = .snapshot(
        ReadSnapshot(
          snapshot: try reader.read(sections: sections, items: items, &service.store)))
    }
    let lines = service.lines(of: list, afterChange: true)
    // References may name items that the snapshot inserts.
    let change = try ChangeParams(
      params, service.store.ids, lines: lines, encoding: encoding)
    self.init(list: list, content: content, change: change)
  }

  func append(
    _ result: ChangeResult, of service: inout ListService, to out: inout ByteBuffer
  ) {
    service.append(result, change.encoding, to: &out)
  }
}

/// What was read of a request while its message was being checked, until it is taken.
struct ReadAhead: ~Copyable {
  /// The location of the parameters; `nil` if nothing was read.
  var source: (message: SharedBytes, range: Range<Int>)?
  var params: Params?

  /// The list of an `applySnapshot`, and the snapshot.
  var list: [UInt8]?
  var snapshot: ReadSnapshot?
}

extension ListService {
  /// Reads the parameters of a request ahead of the check of the whole message, so that they are
  /// scanned once, and keeps them until the request is performed. The snapshot of `applySnapshot` is
  /// read, too.
  ///
  /// Returns `.refused` if anything is invalid or unusual; the message must then be checked as a
  /// whole, and is read again when the request is performed. With an `arrival`, `reader` ends at
  /// the bytes received so far, and is extended to the whole message.
  package mutating func readAheadOfCheck(
    _ method: Method, _ message: SharedBytes, _ reader: inout JSONReader,
    _ arrival: PartialMessage?
  ) -> ParamsReading {
    readAhead = ReadAhead()
    let beginning = reader
    let start = reader.offset
    var list: [UInt8]?
    var snapshot: ReadSnapshot?
    var isRefused = false
    var itemKey: ItemKey?
    let isSnapshot = method == .applySnapshot
    let params = Params(message, &reader) { (name, params, reader) in
      guard isSnapshot, name == .items || name == .sections else { return nil }
      if snapshot != nil { isRefused = true }
      let start = reader.offset
      list = params[.list]?.string
      do throws(Failure) {
        if let value = params[.key] { itemKey = try ItemKey(value) }
        let earlier = list.flatMap { store.content(of: $0, identifiedBy: itemKey?.names ?? []) }
        var items = SnapshotReader(
          message, at: reader, earlier: earlier, arrival: arrival,
          isCancelled: store.isCancelled)
        items.itemKey = itemKey
        snapshot = try items.readAhead(isSections: name == .sections, &reader, &store)
      } catch {
        isRefused = true
        return nil
      }
      let range = start..<reader.offset
      if let arrival { reader.extend(to: arrival.wait(message.count)) }
      return range
    }
    // The members that identify the items may be named after these.
    guard let params, !isRefused, snapshot == nil || itemKey != nil || params[.key] == nil else {
      // After the sweep, the second reading may find room.
      if store.ids.overflow != nil { store.sweep() }
      if isSnapshot, context.isCancelled { return .stopped }
      reader = beginning
      if let arrival { reader.extend(to: arrival.wait(message.count)) }
      return .refused
    }
    let range = start..<reader.offset
    readAhead.source = (message, range)
    readAhead.params = consume params
    readAhead.list = list
    readAhead.snapshot = snapshot
    return .read(range)
  }

  /// Returns the parameters of a request if they were read ahead; `applySnapshot` takes its snapshot.
  /// Otherwise, forgets those that were read.
  mutating func takeParamsReadAhead(of message: SharedBytes, _ range: Range<Int>?) -> Params? {
    guard let source = readAhead.source, source.message === message, source.range == range else {
      readAhead = ReadAhead()
      return nil
    }
    return readAhead.params.take()
  }

  /// Returns the snapshot of an `applySnapshot` if it was read ahead.
  mutating func takeSnapshotReadAhead() -> ReadSnapshot? { readAhead.snapshot.take() }
}
