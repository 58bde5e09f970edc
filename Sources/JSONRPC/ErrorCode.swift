/// The `code` of an error reply. The name of a case is the `reason` in the data of the error.
package enum ErrorCode: Int, Sendable {
  /// The message is not valid JSON or not UTF-8, or its framing is invalid.
  case parseError = -32700
  /// The message is not a request.
  case invalidRequest = -32600
  /// The method does not exist.
  case methodNotFound = -32601
  /// A member of the parameters is missing, unknown or of the wrong kind.
  case invalidParams = -32602
  /// The server has a bug.
  case internalError = -32603
  /// The request was cancelled and changed nothing.
  case requestCancelled = -32800
  /// There is no list with that name.
  case listNotFound = -31001
  /// The revision does not exist or is no longer kept.
  case revisionNotFound = -31002
  /// The list is at a different revision than the request is based on.
  case staleRevision = -31003
  /// Two items or sections have the same identifier.
  case duplicateIdentifier = -31004
  /// An item of the request is not in the list.
  case itemNotFound = -31005
  /// A section of the request is not in the list.
  case sectionNotFound = -31006
  /// The list is a composite or a view and cannot be changed directly.
  case readOnlyList = -31007
  /// The message is larger than the limit.
  case messageTooLarge = -31008
  /// An item of the request cannot be selected.
  case notSelectable = -31009
  /// The list would be a source of itself.
  case compositionCycle = -31010
  /// The change could not be written to the journal.
  case journalFailed = -31011
  /// A composite would exceed the maximum size.
  case compositeTooLarge = -31012
  /// The daemon does not allow this request.
  case notAllowed = -31013
  /// What a feed reads could not be read, or its command not be started.
  case feedFailed = -31014
}
