/// The `code` of an error reply.
package struct ErrorCode: RawRepresentable, Hashable, Sendable {
  package var rawValue: Int

  package init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// The message is not valid JSON or not UTF-8, or its framing is invalid.
  package static let parseError = ErrorCode(rawValue: -32700)
  /// The message is not a request.
  package static let invalidRequest = ErrorCode(rawValue: -32600)
  /// The method does not exist.
  package static let methodNotFound = ErrorCode(rawValue: -32601)
  /// A member of the parameters is missing, unknown or of the wrong kind.
  package static let invalidParams = ErrorCode(rawValue: -32602)
  /// The server has a bug.
  package static let internalError = ErrorCode(rawValue: -32603)
  /// The request was cancelled and changed nothing.
  package static let requestCancelled = ErrorCode(rawValue: -32800)
  /// There is no list with that name.
  package static let listNotFound = ErrorCode(rawValue: -31001)
  /// The revision does not exist or is no longer kept.
  package static let revisionNotFound = ErrorCode(rawValue: -31002)
  /// The list is at a different revision than the request is based on.
  package static let staleRevision = ErrorCode(rawValue: -31003)
  /// Two items or sections have the same identifier.
  package static let duplicateIdentifier = ErrorCode(rawValue: -31004)
  /// An item of the request is not in the list.
  package static let itemNotFound = ErrorCode(rawValue: -31005)
  /// A section of the request is not in the list.
  package static let sectionNotFound = ErrorCode(rawValue: -31006)
  /// The list is a composite or a view and cannot be changed directly.
  package static let readOnlyList = ErrorCode(rawValue: -31007)
  /// The message is larger than the limit.
  package static let messageTooLarge = ErrorCode(rawValue: -31008)
  /// An item of the request cannot be selected.
  package static let notSelectable = ErrorCode(rawValue: -31009)
  /// The list would be a source of itself.
  package static let compositionCycle = ErrorCode(rawValue: -31010)
  /// The change could not be written to the journal.
  package static let journalFailed = ErrorCode(rawValue: -31011)
  /// A composite would exceed the maximum size.
  package static let compositeTooLarge = ErrorCode(rawValue: -31012)

  /// The daemon does not allow this request.
  package static let notAllowed = ErrorCode(rawValue: -31013)
  /// What a feed reads could not be read, or its command not be started.
  package static let feedFailed = ErrorCode(rawValue: -31014)

  /// The `reason` in the data of an error.
  package var reason: StaticString {
    switch self {
    case .parseError: "parseError"
    case .invalidRequest: "invalidRequest"
    case .methodNotFound: "methodNotFound"
    case .invalidParams: "invalidParams"
    case .internalError: "internalError"
    case .requestCancelled: "requestCancelled"
    case .listNotFound: "listNotFound"
    case .revisionNotFound: "revisionNotFound"
    case .staleRevision: "staleRevision"
    case .duplicateIdentifier: "duplicateIdentifier"
    case .itemNotFound: "itemNotFound"
    case .sectionNotFound: "sectionNotFound"
    case .readOnlyList: "readOnlyList"
    case .messageTooLarge: "messageTooLarge"
    case .notSelectable: "notSelectable"
    case .compositionCycle: "compositionCycle"
    case .journalFailed: "journalFailed"
    case .compositeTooLarge: "compositeTooLarge"
    case .notAllowed: "notAllowed"
    case .feedFailed: "feedFailed"
    default: "unknown"
    }
  }
}
