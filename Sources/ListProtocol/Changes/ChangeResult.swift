import ByteBuffers
import ListState

/// What a request answers with: the first of the changes that it makes, with the change of that list's
/// text if that is open.
enum ChangeResult {
  case edits([EditChange], TextChange?)
  case snapshots([ListChange], TextChange?)

  /// What an edit of a folder would do.
  case plan(FolderOutcome)
}

extension ListService {
  /// Reports changes that edits made to subscribers, and returns the first one as the result of the
  /// request. If that set the cursor of its list, it set the `rowLine`.
  mutating func report(_ changes: [EditChange], rowLine: Int?) -> ChangeResult {
    var first: TextChange?
    for index in changes.indices {
      let text = updateText(
        of: changes[index].name, .edits(changes[index]), rowLine: index == 0 ? rowLine : nil)
      if index == 0 { first = text }
      if isReported(changes[index].name) { report(.edited(changes[index], text)) }
    }
    return .edits(changes, first)
  }

  /// Reports changes to subscribers, with the selections that change before and after them, and
  /// returns the first one as the result of the request. If that set the cursor of its list, it set
  /// the `rowLine`.
  mutating func report(
    _ changes: [ListChange], rowLine: Int?, selectedBefore: [SelectionChange] = [],
    selectedAfter: [SelectionChange] = []
  ) -> ChangeResult {
    var first: TextChange?
    for change in selectedBefore { reportSelection(change) }
    for index in changes.indices {
      let text = updateText(
        of: changes[index].name, .snapshots(changes[index]), rowLine: index == 0 ? rowLine : nil)
      if index == 0 { first = text }
      if isReported(changes[index].name) { report(.changed(changes[index], text)) }
    }
    for change in selectedAfter { reportSelection(change) }
    return .snapshots(changes, first)
  }

  /// Appends the change that a request answers with.
  mutating func append(
    _ result: ChangeResult, _ encoding: ChangeEncoding, to out: inout ByteBuffer
  ) {
    switch result {
    case .edits(let changes, let text): append(changes[0], encoding, text, to: &out)
    case .snapshots(let changes, let text): append(changes[0], encoding, text, to: &out)
    case .plan(let outcome): return outcome.append(to: &out)
    }
    out.append("}")
  }
}
