import ByteBuffers
import JSONBytes
import ListCompare

/// A list of a daemon. Changes that arrive while another one is being shown are merged.
final class ListFeed: RowFeed {
  private var client: ListClient
  private let name: String
  private var revision: Int?

  /// Connects to the daemon at a path, or at the path in the environment.
  ///
  /// - Throws: If there is none.
  static func following(_ name: String, at path: String?) throws(CommandProblem) -> ListFeed {
    ListFeed(name, try ListClient.connected(to: path))
  }

  private init(_ name: String, _ client: consuming ListClient) {
    self.name = name
    self.client = client
  }

  override var polled: [Int32] { [client.number] }

  /// Prints the reply to a subscription and all notifications until standard output has no reader.
  /// Returns the exit code.
  ///
  /// - Throws: If the daemon ends.
  func printMessages(_ format: String) throws(CommandProblem) -> Int32 {
    let name = name
    var reply = try client.call("subscribe") {
      $0.append(list: name)
      $0.append(member: "format")
      $0.append(string: format)
    }
    while true {
      var line = ByteBuffer()
      reply.message.withBytes { line.append(json: $0, singleLine: true) }
      line.append("\n")
      guard line.withUnsafeBytes({ Descriptor.output.write($0) }) else {
        if let problem = Descriptor.outputProblem { throw problem }
        return 0
      }
      while true {
        if let next = try client.nextNotification() {
          reply = next.params
          break
        }
        if client.wait() == .unread { return 0 }
      }
    }
  }

  override func next() throws(CommandProblem) -> Reading? {
    guard let before = revision else {
      let file = try current()
      let words = revision == 0 ? "there is no such list yet" : "revision \(revision ?? 0)"
      return Reading(file: file, words: words)
    }
    guard try hasNews(since: before) else { return nil }
    let file = try current()
    return Reading(
      file: file, words: revision == 0 ? "removed" : "revision \(before) → \(revision ?? 0)")
  }

  /// Reads all notifications. Returns whether one is about a change after a revision.
  private func hasNews(since revision: Int) throws(CommandProblem) -> Bool {
    var hasNews = false
    while let (method, params) = try client.nextNotification() {
      if method == "didRemove" { hasNews = true }
      if method == "didChange", (params.integer("revision") ?? .max) > revision { hasNews = true }
    }
    return hasNews
  }

  /// Subscribes, or renews the subscription, and returns the present list. A list that does not
  /// exist has no rows and the revision 0.
  private func current() throws(CommandProblem) -> ComparedFile {
    let name = name
    let reply = try client.call("subscribe") {
      $0.append(list: name)
      $0.append(",\"format\":\"none\"")
    }
    var content = ByteBuffer()
    content.append(snapshot: reply, "snapshot.sections")
    revision = reply.integer("revision") ?? 0
    return ComparedFile(name: name, content: content.shared())
  }
}
