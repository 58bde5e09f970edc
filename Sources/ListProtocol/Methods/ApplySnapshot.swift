import ByteBuffers
import JSONBytes
import JSONRPC
import ListDiff
import ListState

extension ListService {
  private static let applySnapshotMembers: [ParamName] =
    [.list, .sections, .items, .snapshot, .latest] + ChangeParams.members

  /// `applySnapshot`: replaces the snapshot of a list and answers with the change.
  mutating func applySnapshot(
    _ message: SharedBytes, _ range: Range<Int>?, to out: inout ByteBuffer
  ) throws(Failure) {
    let ahead = takeParamsReadAhead(of: message, range)
    let params =
      if let ahead { ahead.params } else {
        try Params(message, range, known: Self.applySnapshotMembers)
      }
    let name = try params.require(.list).requireString()
    _ = try params[.latest]?.requireBoolean()
    try params.requireOne(
      of: .sections, .items, .snapshot, expected: "exactly one of sections, items and snapshot")
    let encoding = try ChangeEncoding(params, offsetUnit, isWanted: !isSubscribed(name))
    let content: NewContent
    if let value = params[.snapshot] {
      content = .reference(try reference(value, in: message))
    } else if let snapshot = ahead?.snapshot {
      content = .snapshot(snapshot)
    } else {
      var reader = SnapshotReader(message)
      reader.takesOutlineRows = takesOutlineRows
      content = .snapshot(
        ReadSnapshot(
          snapshot: try reader.read(
            sections: params[.sections], items: params[.items], &store)))
    }
    // References may name items that the snapshot inserts.
    let change = try ChangeParams(
      params, of: name, store.ids, lines: lines(of: name, afterChange: true), encoding: encoding)
    try checkCancellation()
    if encoding.format == .textEdits { try openText(of: name, spans: encoding.text.spans) }
    var progress: Progress?
    defer { progress?.end() }
    let new: ReadSnapshot
    switch content {
    case .snapshot(let snapshot): new = snapshot
    case .reference(let reference):
      if let state = reference.state, state.list == name {
        let rows = state.edits.map { $0.edits.rowCount ?? listRows(name) }
        progress = Progress(of: .applySnapshot, params, rows: rows ?? 0, singleLine, send)
        if let made = try returnTo(state, change) {
          answer(edits: made, change.encoding, to: &out)
          return
        }
      }
      new = ReadSnapshot(snapshot: try ordinarySnapshot(of: reference, at: "/params/snapshot"))
    }
    if progress == nil {
      let rows = max(new.snapshot.rowCount, listRows(name))
      progress = Progress(of: .applySnapshot, params, rows: rows, singleLine, send)
    }
    let changes: [ListChange]
    do {
      changes = try store.replace(name, with: new.snapshot, change.request, same: new.same)
    } catch {
      throw failure(error, change.named)
    }
    progress?.report("encoding the change", percentage: 90)
    answer(changes, change.encoding, to: &out)
  }

  /// Gives a list the content of an earlier state of its own by the steps between. Returns `nil` if
  /// that is not possible.
  private mutating func returnTo(
    _ state: ReferencedState, _ change: ChangeParams
  ) throws(Failure) -> [EditChange]? {
    guard let current = store.peek(state.list)?.revision else { return nil }
    var edits = state.edits?.edits ?? Edits()
    do throws(ListFailure) {
      return try store.editTree(
        state.list, from: state.revision ?? current, &edits, change.request)
    } catch {
      guard let value = state.edits?.value else { throw failure(error, change.named) }
      throw try failure(error, ofEdits: value, change.named)
    }
  }
}

/// The content that `applySnapshot` gives a list.
private enum NewContent {
  case snapshot(ReadSnapshot)
  case reference(SnapshotReference)
}

/// The parameters of a request that were read while its message was being checked.
struct ParamsReadAhead {
  let message: SharedBytes
  let range: Range<Int>
  let params: Params
  var snapshot: ReadSnapshot?
}

extension ListService {
  /// Reads the parameters of `applySnapshot` ahead of the check of the whole message, so that large
  /// ones are scanned once, and keeps them until the request is performed.
  ///
  /// Returns `.refused` if anything is invalid or unusual; the message must then be checked as a
  /// whole, and is read again when the request is performed. With an `arrival`, `reader` ends at
  /// the bytes received so far, and is extended to the whole message.
  package mutating func readAheadOfCheck(
    _ message: SharedBytes, _ reader: inout JSONReader, _ arrival: PartialMessage?
  ) -> ParamsReading {
    paramsReadAhead = nil
    let beginning = reader
    let start = reader.offset
    var snapshot: ReadSnapshot?
    var isRefused = false
    let params = Params(message, &reader, known: Self.applySnapshotMembers) {
      (name, params, reader) in
      guard name == .items || name == .sections else { return nil }
      if snapshot != nil { isRefused = true }
      let start = reader.offset
      let named = params[.list]?.string
      if let named { store.flatten(named) }
      let list = named.flatMap { try? store.list($0) }
      do throws(Failure) {
        snapshot = try SnapshotReader(
          message, at: reader, earlier: list?.snapshot, arrival: arrival, isCancelled: isCancelled
        )
        .readAhead(isSections: name == .sections, &reader, &store)
      } catch {
        isRefused = true
        return nil
      }
      let range = start..<reader.offset
      if let arrival { reader.extend(to: arrival.wait(message.count)) }
      return range
    }
    guard let params, !isRefused else {
      // After the sweep, the second reading may find room.
      if store.ids.overflow != nil { store.sweep() }
      if isCancelled() { return .stopped }
      reader = beginning
      if let arrival { reader.extend(to: arrival.wait(message.count)) }
      return .refused
    }
    let range = start..<reader.offset
    paramsReadAhead = ParamsReadAhead(
      message: message, range: range, params: params, snapshot: snapshot)
    return .read(range)
  }

  private mutating func takeParamsReadAhead(
    of message: SharedBytes, _ range: Range<Int>?
  ) -> ParamsReadAhead? {
    defer { paramsReadAhead = nil }
    guard let ahead = paramsReadAhead, ahead.message === message, ahead.range == range else {
      return nil
    }
    return ahead
  }
}
