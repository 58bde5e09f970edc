import ByteBuffers
import JSONBytes

/// How a feed is doing.
package struct FeedState: Sendable, Equatable {
  /// Whether rows may still arrive.
  package var isRunning = true

  /// How the last run of the command ended.
  package var exitCode: Int?
  package var signal: String?

  /// What has failed, as a message for people.
  package var error: String?

  /// Whether the list may lack changes, until everything has been read again.
  package var isStale = false

  package init() {}

  /// Appends the state of a list with a number of items.
  package func write(items: Int?, to out: inout ByteBuffer) {
    out.append("{")
    out.append(member: "running", isRunning)
    if let items { out.append(member: "items", items) }
    if let exitCode { out.append(member: "exitCode", exitCode) }
    if let signal { out.append(member: "signal", string: signal) }
    if let error { out.append(member: "error", string: error) }
    if isStale { out.append(member: "stale", true) }
    out.append("}")
  }
}

/// A list that the daemon fills.
struct FedList {
  /// The number of the feed's own connection, whose requests change the list.
  let number: Int
  let source: FeedSource

  /// Whether clients may edit the folder.
  let allowsEdits: Bool

  /// The client that asked for the feed and takes log messages; `nil` if there is none.
  var client: Int?
  var state = FeedState() {
    didSet { isRead = true }
  }

  /// Whether all was read at least once, of a folder.
  private(set) var isRead = false
}

/// The lists that the daemon fills, and the feeds that the program runs for them.
struct FedLists {
  var lists: [[UInt8]: FedList] = [:]

  /// The numbers of the feeds that the program runs.
  fileprivate var running: [Int] = []

  /// The clients that do not read their notifications.
  fileprivate var pausedClients: Set<Int> = []

  /// The folders that outlines have expanded, by the numbers of feeds, and those feeds whose folders
  /// have changed since they were last taken.
  private var expanded: [Int: Set<String>] = [:]
  private var changedExpansions: Set<Int> = []

  /// The feed whose folder the current request has edited, and the edits of the list that follow from that.
  var editedFeed: Int?
  var madeEdits: Value?

  /// What edits of folders have done, since that was last taken.
  var outcomes: [(feed: Int, message: SharedBytes)] = []

  subscript(name: [UInt8]) -> FedList? { lists[name] }

  /// Keeps the folders of a feed that are expanded.
  mutating func note(_ folders: Set<String>, ofFeed number: Int) {
    guard expanded[number, default: []] != folders else { return }
    expanded[number] = folders
    changedExpansions.insert(number)
  }

  /// Removes and returns the feeds whose folders have changed.
  mutating func takeExpansions() -> [(feed: Int, folders: Set<String>)] {
    guard !changedExpansions.isEmpty else { return [] }
    defer { changedExpansions = [] }
    return changedExpansions.sorted().map { ($0, expanded[$0] ?? []) }
  }
}

/// What the program does for feeds.
package struct FeedProgram {
  /// Starts a feed of a list, whose connection has a number. Returns the reason if it fails.
  package var start: (FeedSource, _ list: [UInt8], _ number: Int) -> String?

  /// Edits the folder of a feed. Returns a message of the feed's connection, a `didFeed` whose `edit` has
  /// the changes and problems, and the edits of the list if the folder was changed; `nil` if there is
  /// no such folder.
  package var edit: (FolderEdit, _ number: Int) -> SharedBytes?

  /// Ends the last edit of the folder of a feed, which is kept or undone.
  package var finishEdit: (_ number: Int, _ keeps: Bool) -> Void

  package init(
    start: @escaping (FeedSource, _ list: [UInt8], _ number: Int) -> String?,
    edit: @escaping (FolderEdit, _ number: Int) -> SharedBytes? = { _, _ in nil },
    finishEdit: @escaping (_ number: Int, _ keeps: Bool) -> Void = { _, _ in }
  ) {
    self.start = start
    self.edit = edit
    self.finishEdit = finishEdit
  }
}

extension ListService {
  /// Reserves the number of a connection that is larger than those of all connections so far.
  package mutating func nextClient() -> Int {
    lastClient += 1
    return lastClient
  }

  /// Reports whether a connection is that of a feed.
  package func isFeed(_ client: Int) -> Bool { fed.running.contains(client) }

  /// Removes and returns the numbers of the feeds that have ended or were replaced.
  package mutating func takeEndedFeeds() -> [Int] {
    guard fed.running.count != fed.lists.count else { return [] }
    let wanted = Set(fed.lists.values.map { $0.number })
    defer { fed.running.removeAll { !wanted.contains($0) } }
    return fed.running.filter { !wanted.contains($0) }
  }

  /// Checks that the current client may change the content of a list.
  ///
  /// - Throws: -31007 if the list has a feed, and this is another client.
  func checkNotFed(_ list: [UInt8]) throws(Failure) {
    guard !fed.lists.isEmpty, let feed = fed.lists[list], feed.number != context.client else {
      return
    }
    throw .fedList(list)
  }

  /// Starts a feed, which is ended after the request unless it becomes that of its list.
  ///
  /// - Throws: -31014 if that fails.
  mutating func startFeed(
    _ source: FeedSource, of list: [UInt8], allowsEdits: Bool
  ) throws(Failure) -> FedList {
    guard let feedProgram else { throw .feedsNotAllowed }
    let number = nextClient()
    if let why = feedProgram.start(source, list, number) { throw .feedFailed(list, why: why) }
    fed.running.append(number)
    return FedList(
      number: number, source: source, allowsEdits: allowsEdits && source.isFolder,
      client: context.takesLogs ? context.client : nil)
  }

  /// Queues lines of a feed's log for the client that asked for it, or as warnings for people.
  mutating func log(_ lines: [String], ofFeed list: [UInt8]) {
    let name = String(decoding: list, as: UTF8.self)
    for line in lines {
      let words = "\(name): \(line)"
      guard let client = fed.lists[list]?.client, !fed.pausedClients.contains(client) else {
        book.warnings.append(words)
        continue
      }
      var buffer = ByteBuffer()
      buffer.append(notification: "window/logMessage")
      buffer.append("{\"type\":2")
      buffer.append(member: "message", string: words)
      buffer.append(ListNotification.end)
      notifications.append(ListNotification(client: client, line: buffer.shared(), request: nil))
    }
  }

  /// Forgets a client that has left.
  mutating func forgetInFeeds(client: Int) {
    for (name, list) in fed.lists where list.client == client { fed.lists[name]!.client = nil }
    fed.pausedClients.remove(client)
  }

  /// Records whether a client reads its notifications.
  mutating func setPaused(_ isPaused: Bool, _ client: Int) {
    if isPaused { fed.pausedClients.insert(client) } else { fed.pausedClients.remove(client) }
  }

  /// Appends the state of a list's feed.
  func append(feedStateOf list: [UInt8], to out: inout ByteBuffer) {
    guard let fed = fed.lists[list] else { return out.append("null") }
    fed.state.write(items: store.summary(of: list)?.items ?? 0, to: &out)
  }
}

extension Failure {
  /// A change of a list that the daemon fills.
  static func fedList(_ list: [UInt8]) -> Failure {
    var failure = Failure(
      .readOnlyList, "the list has a feed; end that, or change what it reads",
      data: ["list": .name(list), "sources": .names([])])
    failure.reason = "fedList"
    return failure
  }

  static let feedsNotAllowed = Failure(.notAllowed, "this daemon runs no feeds")

  /// A feed that could not be started, or an edit that a folder does not take.
  static func feedFailed(_ list: [UInt8], why: String, problems: Value? = nil) -> Failure {
    Failure(
      .feedFailed, why,
      data: [
        "list": .name(list), "why": .text(why),
        "problems": problems.map { value in .json { $0.append(value.bytes) } },
      ])
  }

  /// The reason if a reply reports that a feed could not be started, else `nil`.
  package static func feedFailure(in reply: SharedBytes) -> String? {
    failureData(in: reply, of: .feedFailed)?["why"]?.text
  }
}
