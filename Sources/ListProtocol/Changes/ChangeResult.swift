import ByteBuffers
import ListState

/// A change that a request has made, as edits of a list's tree or as two snapshots.
enum MadeChange {
  case edits(EditChange)
  case snapshots(ListChange)

  /// Creates the empty change of a list.
  init(unchanged list: NamedList) {
    self =
      EditChange(unchanged: list).map { .edits($0) } ?? .snapshots(ListChange(unchanged: list))
  }

  /// Creates a change of only the selection and the cursor of a list.
  init(marking change: SelectionChange, of list: NamedList) {
    self =
      EditChange(marking: change, of: list).map { .edits($0) }
      ?? .snapshots(ListChange(marking: change, of: list))
  }

  var name: [UInt8] {
    switch self {
    case .edits(let change): change.name
    case .snapshots(let change): change.name
    }
  }

  var revisions: (base: Int, new: Int) {
    switch self {
    case .edits(let change): (change.baseRevision, change.revision)
    case .snapshots(let change): (change.baseRevision, change.revision)
    }
  }

  /// Whether rows, sections or the numbers of a view have changed, or are reported as updated.
  var isOfContent: Bool {
    switch self {
    case .edits(let change): change.isReported || change.changesNumbers
    case .snapshots(let change):
      change.isRevision || !change.changes.stages.isEmpty || change.changesNumbers
    }
  }
}

/// What a request answers with: the first of the changes that it makes, with the change of that list's
/// text if that is open.
enum ChangeResult {
  case change(MadeChange, TextChange?)

  /// What an edit of a folder would do.
  case plan(FolderOutcome)
}

extension ListService {
  /// Reports changes to subscribers, and returns the first one as the result of the request. If that
  /// set the cursor of its list, it set the `rowLine`.
  @discardableResult
  mutating func report<Change>(
    _ changes: [Change], _ made: (Change) -> MadeChange, rowLine: Int?
  ) -> ChangeResult {
    var first: ChangeResult?
    for change in changes {
      let change = made(change)
      let text = updateText(
        of: change.name, .made(change), rowLine: first == nil ? rowLine : nil)
      if isReported(change.name) { report(.changed(change, text)) }
      if first == nil { first = .change(change, text) }
    }
    guard let first else { preconditionFailure("a request makes a change") }
    return first
  }

  /// Appends the change that a request answers with.
  mutating func append(
    _ result: ChangeResult, _ encoding: ChangeEncoding, to out: inout ByteBuffer
  ) {
    switch result {
    case .change(let change, let text): append(change, encoding, text, to: &out)
    case .plan(let outcome): return outcome.append(to: &out)
    }
    out.append("}")
  }
}
