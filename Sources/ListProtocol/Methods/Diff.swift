import JSONBytes
import ListDiff
import ListState

extension ListService {
  /// `diff`: answers with the change between two snapshots. No list is changed.
  mutating func diff(
    _ message: SharedBytes, _ range: Range<Int>?, to out: inout ByteBuffer
  ) throws(Failure) {
    let params = try Params(
      message, range, known: ["from", "to", "format", "content", "maxOps", "spans"])
    let encoding = try ChangeEncoding(params, offsetUnit)
    var (from, to) = try snapshots(
      try params.require("from", expected: "a snapshot"),
      try params.require("to", expected: "a snapshot"), in: message)
    let change =
      encoding.format == .none
      ? try read(from.snapshot, to.snapshot, params)
      : try compare(from.snapshot, to.snapshot, params)
    try checkCancellation()
    if encoding.format != .none {
      // If nothing differs, the older text represents both.
      if store.leavesContentUnchanged(change, from.snapshot, to.snapshot) {
        to.snapshot = from.snapshot
      }
      selfCheck.record(change, from: from, to: to)
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
      encoding.format == .textEdits
      ? textChange(
        change, from: from.snapshot, to: to.snapshot, of: from.onlyList(with: to),
        spans: encoding.text.spans) : nil
    append(change, from: from.snapshot, to: to.snapshot, encoding, text, to: &out)
    if from.revision == nil, to.revision == nil { out.remove(start..<start + 1) }
    out.append("}")
  }

  /// Returns no change, for snapshots that were read but are not compared.
  private func read(
    _ old: Snapshot, _ new: Snapshot, _ params: Params
  ) throws(Failure) -> SnapshotChange {
    let rows = max(old.rowCount, new.rowCount)
    Progress(of: .diff, params, rows: rows, singleLine, send)?.end()
    return SnapshotChange()
  }

  /// Returns the change between two snapshots.
  private mutating func compare(
    _ old: Snapshot, _ new: Snapshot, _ params: Params
  ) throws(Failure) -> SnapshotChange {
    let rows = max(old.rowCount, new.rowCount)
    let progress = Progress(of: .diff, params, rows: rows, singleLine, send)
    defer { progress?.end() }
    do { return try store.compareUnlessCancelled(old, new) } catch {
      throw failure(error, NamedValues())
    }
  }
}
