import ByteBuffers
import ListDiff
import ListState

/// `diff`: answers with the change between two snapshots. No list is changed.
struct Diff: ListRequest {
  let from: SnapshotReference
  let to: SnapshotReference
  var encoding = ChangeEncoding()

  /// The change, and the revisions of the compared states if they have any.
  struct Result {
    /// If it is one between two states of a list by its tree, it must not exist any more when
    /// ``ListStore/endComparison()`` is called.
    var change: ListChange
    var text: TextChange?
    var baseRevision: Int?
    var revision: Int?
  }

  static let members: ParamNames = [.from, .to, .key, .format, .content, .moves, .maxOps, .spans]

  mutating func perform(on service: inout ListService) throws(Failure) -> Result {
    if encoding.format != .textEdits, let old = from.state, let new = to.state,
      let result = try compare(old, new, on: &service)
    {
      return result
    }
    var (from, to) = try service.snapshots(from, to)
    service.context.beginProgress(
      of: .diff, rows: max(from.snapshot.rowCount, to.snapshot.rowCount))
    var change = ListChange(unchanged: NamedList(name: []))
    if encoding.format != .none {
      do throws(ListFailure) {
        change = try service.store.change(
          from: from.snapshot, to: to.snapshot, hasOld: encoding.content == .both,
          hasRuns: encoding.format == .textEdits || service.selfCheck.isOn)
      } catch { throw service.failure(error) }
    }
    try service.context.checkCancellation()
    if encoding.format != .none {
      // If nothing differs, the older text represents both.
      if !change.operations.changesContent { to.snapshot = from.snapshot }
      service.selfCheck.record(change, from: from, to: to)
    }
    let text =
      encoding.format == .textEdits
      ? service.textChange(
        change, from: from.snapshot, to: to.snapshot, of: from.onlyList(with: to),
        spans: encoding.text.spans) : nil
    return Result(
      change: change, text: text, baseRevision: from.revision, revision: to.revision)
  }

  /// Returns the change between two states of the same list, by the tree of the list; `nil` if that
  /// is not possible.
  private func compare(
    _ old: ReferencedState, _ new: ReferencedState, on service: inout ListService
  ) throws(Failure) -> Result? {
    guard old.list == new.list, let current = service.store.peek(old.list)?.revision else {
      return nil
    }
    let edits = [old, new].flatMap { $0.edits?.edits.edits ?? [] }
    service.context.beginProgress(of: .diff, rows: edits.reduce(0) { $0 + $1.size })
    let checked =
      service.selfCheck.isOn ? try service.snapshots(.state(old), .state(new)) : nil
    let change: ListChange?
    service.keepOldContents(of: old.list, encoding)
    do throws(ComparisonFailure) {
      change = try service.store.beginComparison(
        of: old.list, from: old.state(current), to: new.state(current))
    } catch {
      let edits = (error.isOfNew ? new : old).edits
      throw try service.failure(error.failure, ofEdits: edits?.value, of: old.list)
    }
    guard let change else { return nil }
    if let checked, encoding.format != .none {
      service.selfCheck.record(change, from: checked.from, to: checked.to)
    }
    return Result(
      change: change, baseRevision: old.edits == nil ? old.revision ?? current : nil,
      revision: new.edits == nil ? new.revision ?? current : nil)
  }
}

extension Diff {
  init(_ params: inout Params, _ service: inout ListService) throws(Failure) {
    encoding = try ChangeEncoding(params, service.context)
    service.context.itemKey = try params[.key].map { key throws(Failure) in try ItemKey(key) }
    from = try service.reference(params.require(.from, expected: "a snapshot"))
    to = try service.reference(params.require(.to, expected: "a snapshot"))
  }

  func append(_ result: Result, of service: inout ListService, to out: inout ByteBuffer) {
    out.append("{")
    if let revision = result.baseRevision { out.append(member: "baseRevision", revision) }
    if let revision = result.revision { out.append(member: "revision", revision) }
    service.append(membersOf: result.change, encoding, result.text, to: &out)
    out.append("}")
  }
}

extension ReferencedState {
  /// The state of a list whose current revision is `current`.
  fileprivate func state(_ current: Int) -> EditedRevision {
    EditedRevision(revision: revision ?? current, edits: edits?.edits)
  }
}
