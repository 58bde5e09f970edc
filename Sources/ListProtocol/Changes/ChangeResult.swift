import ByteBuffers
import ListState

extension ListChange {
  /// Whether rows, sections or the numbers of a view have changed, or are reported as updated.
  var isOfContent: Bool { isReported || changesNumbers }
}

/// What a request answers with: the first of the changes that it makes, with the change of that list's
/// text if that is open, and how the request wants it encoded.
enum ChangeResult {
  case change(ListChange, TextChange?, ChangeEncoding)

  /// What an edit of a folder would do.
  case plan(FolderOutcome)
}

extension ListService {
  /// Reports the changes that a request with some parameters has made to subscribers, and returns the first one
  /// as its result.
  @discardableResult
  mutating func report(
    _ changes: [ListChange], of params: borrowing ChangeParams = ChangeParams()
  ) -> ChangeResult {
    var first: ChangeResult?
    for change in changes {
      let text = updateText(
        of: change.name, .made(change), rowLine: first == nil ? params.newRowLine : nil)
      if isReported(change.name) { report(.changed(change, text)) }
      if first == nil { first = .change(change, text, params.encoding) }
    }
    guard let first else { preconditionFailure("a request makes a change") }
    return first
  }
}

extension ListRequest where Self: ~Copyable, Result == ChangeResult {
  /// Appends the change that the request answers with.
  func append(_ result: ChangeResult, of service: inout ListService, to out: inout ByteBuffer) {
    switch result {
    case .change(let change, let text, let encoding):
      service.append(change, encoding, text, to: &out)
      out.append("}")
    case .plan(let outcome): outcome.append(to: &out)
    }
  }
}
