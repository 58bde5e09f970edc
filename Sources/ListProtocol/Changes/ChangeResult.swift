import ByteBuffers
import ListState

/// The change that a request answers with, and the change of the list's text if that is open.
indirect enum ChangeResult {
  case edits(EditChange, TextChange?)
  case snapshots(ListChange, TextChange?)
}

extension ListService {
  /// Reports changes that edits made to subscribers, and returns the first one as the result of the
  /// request.
  mutating func report(_ changes: [EditChange]) -> ChangeResult {
    var result: ChangeResult?
    for change in changes {
      let text = updateText(of: change.name, .edits(change))
      if result == nil { result = .edits(change, text) }
      if isReported(change.name) { report(.edited(change, text)) }
    }
    return result!
  }

  /// Reports changes to subscribers, with the selections that change before and after them, and
  /// returns the first one as the result of the request.
  mutating func report(
    _ changes: [ListChange], selectedBefore: [SelectionChange] = [],
    selectedAfter: [SelectionChange] = []
  ) -> ChangeResult {
    var result: ChangeResult?
    for change in selectedBefore { reportSelection(change) }
    for change in changes {
      let text = updateText(of: change.name, .snapshots(change))
      if result == nil { result = .snapshots(change, text) }
      if isReported(change.name) { report(.changed(change, text)) }
    }
    for change in selectedAfter { reportSelection(change) }
    return result!
  }

  /// Appends the change that a request answers with.
  mutating func append(
    _ result: ChangeResult, _ encoding: ChangeEncoding, to out: inout ByteBuffer
  ) {
    switch result {
    case .edits(let change, let text): append(change, encoding, text, to: &out)
    case .snapshots(let change, let text): append(change, encoding, text, to: &out)
    }
    out.append("}")
  }
}
