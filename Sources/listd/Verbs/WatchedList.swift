import ByteBuffers
import JSONBytes
import ListCompare

/// A list of a daemon that `listd watch` follows.
struct WatchedList: ~Copyable {
  private var client: ListClient
  private let name: String

  /// Connects to the daemon at a path, or at the path in the environment.
  ///
  /// - Throws: If there is none.
  static func following(
    _ name: String, at path: String?
  ) throws(Options.Problem) -> WatchedList {
    WatchedList(name, try ListClient.connected(to: path))
  }

  private init(_ name: String, _ client: consuming ListClient) {
    self.name = name
    self.client = client
  }

  /// Prints the reply to a subscription and all notifications until standard output has no reader.
  /// Returns the exit code.
  ///
  /// - Throws: If the daemon ends.
  mutating func printMessages(_ format: String) throws(Options.Problem) -> Int32 {
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

  /// Shows the list and its changes until standard output has no reader. Returns the exit code.
  ///
  /// Changes that arrive while another one is being shown are merged.
  ///
  /// - Throws: If the daemon ends.
  mutating func show(in view: consuming WatchView) throws(Options.Problem) -> Int32 {
    var (file, revision) = try current()
    var heading = revision == 0 ? "there is no such list yet" : "revision \(revision)"
    while true {
      do throws(ComparisonFailure) { try view.show(file, heading) } catch {
        throw Options.Problem(words: error.words, exitCode: 1)
      }
      guard try view.write() else { return 0 }
      while try !hasNews(since: revision) {
        switch client.wait(view.isScreen ? .seconds(1) : nil) {
        case .ready: break
        case .unread: return 0
        case .nothing: guard try view.refresh() else { return 0 }
        }
      }
      let before = revision
      (file, revision) = try current()
      heading = revision == 0 ? "removed" : "revision \(before) → \(revision)"
    }
  }

  /// Reads all notifications. Returns whether one is about a change after a revision.
  private mutating func hasNews(since revision: Int) throws(Options.Problem) -> Bool {
    var hasNews = false
    while let (method, params) = try client.nextNotification() {
      if method == "didRemove" { hasNews = true }
      if method == "didChange", (params.integer("revision") ?? .max) > revision { hasNews = true }
    }
    return hasNews
  }

  /// Subscribes, or renews the subscription, and returns the present list. A list that does not
  /// exist has no rows and the revision 0.
  private mutating func current() throws(Options.Problem) -> (ComparedFile, revision: Int) {
    let name = name
    let reply = try client.call("subscribe") {
      $0.append(list: name)
      $0.append(",\"format\":\"none\"")
    }
    var content = ByteBuffer()
    content.append(snapshot: reply, "snapshot.sections")
    let file = ComparedFile(name: name, content: content.shared())
    return (file, reply.integer("revision") ?? 0)
  }
}
