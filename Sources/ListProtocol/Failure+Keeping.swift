import JSONRPC

extension Failure {
  /// A change that could not be written to the journal and was undone.
  package static func journalFailed(_ path: String, why: String) -> Failure {
    var data = FailureData()
    data.add("path", path)
    data.add("why", why)
    return Failure(
      .journalFailed, "the change could not be written to \(path): \(why)", data: data.bytes)
  }
}
