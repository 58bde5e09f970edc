import JSONBytes
import ListDiff
import ListState

extension ListService {
  /// `diff`: tells the change between two snapshots and changes nothing.
  mutating func diff(
    _ message: SharedBytes, _ range: Range<Int>?, to out: inout ByteBuffer
  ) throws(Failure) {
    let params = try Params(
      message, range, known: ["from", "to", "format", "content", "maxOps", "spans"])
    let telling = try Telling(params, offsetUnit)
    var (from, to) = try snapshots(
      try params.require("from", expected: "a snapshot"),
      try params.require("to", expected: "a snapshot"), in: message)
    let change =
      telling.format == .none
      ? try read(from.snapshot, to.snapshot, params)
      : try compare(from.snapshot, to.snapshot, params)
    try checkCancellation()
    if telling.format != .none {
      // Where nothing differs, the older writing stands for both.
      if store.isNothing(change, from.snapshot, to.snapshot) { to.snapshot = from.snapshot }
      selfCheck.note(change, from: from, to: to)
    }
    out.append("{")
    if let revision = from.revision {
      out.append("\"baseRevision\":")
      out.append(decimal: revision)
    }
    if let revision = to.revision {
      out.append(from.revision == nil ? "\"revision\":" : ",\"revision\":")
      out.append(decimal: revision)
    }
    let start = out.count
    let text =
      telling.format == .textEdits
      ? textChange(
        change, from: from.snapshot, to: to.snapshot, of: from.onlyList(with: to),
        spans: telling.text.spans) : nil
    append(change, from: from.snapshot, to: to.snapshot, telling, text, to: &out)
    if from.revision == nil, to.revision == nil { out.remove(start..<start + 1) }
    out.append("}")
  }

  /// No change, of snapshots that were read and are not compared.
  private func read(
    _ old: Snapshot, _ new: Snapshot, _ params: Params
  ) throws(Failure) -> SnapshotChange {
    let rows = max(old.rowCount, new.rowCount)
    Progress(of: .diff, params, rows: rows, singleLine, send)?.end()
    return SnapshotChange()
  }

  /// The change between two snapshots.
  private mutating func compare(
    _ old: Snapshot, _ new: Snapshot, _ params: Params
  ) throws(Failure) -> SnapshotChange {
    let rows = max(old.rowCount, new.rowCount)
    let progress = Progress(of: .diff, params, rows: rows, singleLine, send)
    defer { progress?.end() }
    do { return try store.compareUnlessCancelled(old, new) } catch {
      throw failure(error, Named())
    }
  }
}
