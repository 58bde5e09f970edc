import ByteBuffers
import ListState

extension ListChange {
  /// Whether rows, sections or the numbers of a view have changed, or are reported as updated.
  var isOfContent: Bool { isReported || changesNumbers }
}

/// What a request answers with: the first of the changes that it makes, with the change of that list's
/// text if that is open.
enum ChangeResult {
  case change(ListChange, TextChange?)

  /// What an edit of a folder would do.
  case plan(FolderOutcome)
}

extension ListService {
  /// Reports changes to subscribers, and returns the first one as the result of the request. If that
  /// set the cursor of its list, it set the `rowLine`.
  @discardableResult
  mutating func report(_ changes: [ListChange], rowLine: Int?) -> ChangeResult {
    var first: ChangeResult?
    for change in changes {
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
