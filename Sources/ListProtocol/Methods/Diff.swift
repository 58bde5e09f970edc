import ByteBuffers
import ListDiff
import ListState

extension ListService {
  /// `diff`: answers with the change between two snapshots. No list is changed.
  mutating func diff(
    _ message: SharedBytes, _ range: Range<Int>?, to out: inout ByteBuffer
  ) throws(Failure) {
    let params = try Params(
      message, range, known: [.from, .to, .format, .content, .maxOps, .spans])
    let encoding = try ChangeEncoding(params, offsetUnit)
    let old = try reference(params.require(.from, expected: "a snapshot"), in: message)
    let new = try reference(params.require(.to, expected: "a snapshot"), in: message)
    var progress: Progress?
    defer { progress?.end() }
    // The list is restored when the change, which refers to its tree, does not exist any more.
    defer { store.endComparison() }
    if encoding.format != .textEdits, let from = old.state, let to = new.state,
      try append(from: from, to: to, encoding, params, &progress, to: &out)
    {
      return
    }
    var (from, to) = try snapshots(old, new)
    if progress == nil {
      let rows = max(from.snapshot.rowCount, to.snapshot.rowCount)
      progress = Progress(of: .diff, params, rows: rows, singleLine, send)
    }
    let change =
      encoding.format == .none
      ? SnapshotChange() : try compare(from.snapshot, to.snapshot)
    try checkCancellation()
    if encoding.format != .none {
      // If nothing differs, the older text represents both.
      if store.leavesContentUnchanged(change, from.snapshot, to.snapshot) {
        to.snapshot = from.snapshot
      }
      selfCheck.record(change, from: from, to: to)
    }
    let start = open(from: from.revision, to: to.revision, &out)
    let text =
      encoding.format == .textEdits
      ? textChange(
        change, from: from.snapshot, to: to.snapshot, of: from.onlyList(with: to),
        spans: encoding.text.spans) : nil
    append(change, from: from.snapshot, to: to.snapshot, encoding, text, to: &out)
    close(start, from: from.revision, to: to.revision, &out)
  }

  /// Appends the change between two states of the same list, by the tree of the list. Returns false
  /// and appends nothing if that is not possible.
  private mutating func append(
    from old: ReferencedState, to new: ReferencedState, _ encoding: ChangeEncoding,
    _ params: Params, _ progress: inout Progress?, to out: inout ByteBuffer
  ) throws(Failure) -> Bool {
    guard old.list == new.list, let current = store.peek(old.list)?.revision else { return false }
    let edits = [old, new].flatMap { $0.edits?.edits.edits ?? [] }
    progress = Progress(
      of: .diff, params, rows: edits.reduce(0) { $0 + $1.size }, singleLine, send)
    let checked = selfCheck.isOn ? try? snapshots(.state(old), .state(new)) : nil
    let change: EditChange?
    do throws(ComparisonFailure) {
      change = try store.beginComparison(
        of: old.list, from: old.state(current), to: new.state(current))
    } catch {
      let named = NamedValues(list: old.list)
      guard let edits = (error.isOfNew ? new : old).edits else {
        throw failure(error.failure, named)
      }
      throw try failure(error.failure, ofEdits: edits.value, named)
    }
    guard let change else { return false }
    if let checked, encoding.format != .none {
      selfCheck.record(change, from: checked.from, to: checked.to)
    }
    let from = old.edits == nil ? old.revision ?? current : nil
    let to = new.edits == nil ? new.revision ?? current : nil
    let start = open(from: from, to: to, &out)
    append(membersOf: change, encoding, nil, to: &out)
    close(start, from: from, to: to, &out)
    return true
  }

  /// Appends the revisions of two states. Returns the offset after them.
  private func open(from old: Int?, to new: Int?, _ out: inout ByteBuffer) -> Int {
    out.append("{")
    if let old {
      out.append("\"baseRevision\":")
      out.append(decimal: old)
    }
    if let new {
      out.append(old == nil ? "\"revision\":" : ",\"revision\":")
      out.append(decimal: new)
    }
    return out.count
  }

  /// Ends the answer whose first members end at `start`.
  private func close(_ start: Int, from old: Int?, to new: Int?, _ out: inout ByteBuffer) {
    // The members of a change begin with a comma.
    if old == nil, new == nil { out.remove(start..<start + 1) }
    out.append("}")
  }

  /// Returns the change between two snapshots.
  private mutating func compare(_ old: Snapshot, _ new: Snapshot) throws(Failure) -> SnapshotChange
  {
    do { return try store.compareUnlessCancelled(old, new) } catch {
      throw failure(error, NamedValues())
    }
  }
}

extension ReferencedState {
  /// The state of a list whose current revision is `current`.
  fileprivate func state(_ current: Int) -> EditedRevision {
    EditedRevision(revision: revision ?? current, edits: edits?.edits)
  }
}
