import Commands
import ListProtocol
import ListServer

/// Serves any number of clients on the same lists: one on standard input and output, the others on
/// a Unix socket. A single thread serves all clients and never waits for one of them.
struct SharedServer: ~Copyable {
  private let options: Options
  private let path: SocketPath
  private var listener: ListeningSocket
  private let signals: Int32
  private var lists: SharedLists
  private var journal: JournalFile?
  private var record: RecordFile?

  /// The connections, in the order in which they were accepted.
  private var connections: [Connection] = []

  /// The connections that have sent a frame, by number.
  private var numbered: [Int: Connection] = [:]
  private let feeds: RunningFeeds

  /// The descriptor that can be read after a feed has made a request.
  private let feedRequests: Int32

  /// The index of the connection to serve next.
  private var turn = 0

  /// The time at which the last connection ended.
  private var idleStart = MonotonicTime.now

  /// The time at which watched processes and the path were last checked.
  private var lastWatch = MonotonicTime.now

  /// Whether no more clients can connect.
  private var isUnreachable = false
  private var freed = 0

  /// How long requests are answered before replies are sent and descriptors are polled.
  private static let round = Duration.milliseconds(1)

  /// Before a message of at least this length, in bytes, is answered, earlier replies are sent.
  private static let longMessage = 1 << 16

  /// The interval between checks if processes are watched, and if only the path is.
  private static let processInterval = Duration.milliseconds(500)
  private static let pathInterval = Duration.seconds(60)

  /// Memory is returned to the system when requests have freed about this many bytes.
  private static let trimSize = 1 << 20

  /// Starts listening at a path.
  ///
  /// - Throws: If that fails, or a file of the options cannot be opened.
  init(_ options: Options, at path: String) throws(CommandProblem) {
    signal(SIGPIPE, SIG_IGN)
    // A file that reaches its largest size is a write error, and does not end the process.
    signal(SIGXFSZ, SIG_IGN)
    System.keepMemory()
    let path = try SocketPath(path)
    // If two daemons start at once, one of them waits here until the other listens.
    let directory = try path.claim(waits: true)
    var lists = SharedLists(options.session)
    let signals = try TerminationSignals.descriptor()
    guard let pipe = System.makePipe() else {
      throw CommandProblem(words: "cannot make a pipe: \(Descriptor.problem)", exitCode: 1)
    }
    for end in [pipe.reading, pipe.writing] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    let feeds = RunningFeeds(options.session) {
      let byte: UInt8 = 0
      _ = withUnsafeBytes(of: byte) { System.writeBytes(pipe.writing, $0) }
    }
    lists.allowFeeds(feeds.program)
    let journal: JournalFile? =
      if let path = options.journal {
        try JournalFile(path, syncs: options.syncsJournal, to: &lists)
      } else { nil }
    let record: RecordFile? =
      if let path = options.record {
        try RecordFile(path, options: options.answering, of: &lists)
      } else { nil }
    listener = try path.listen(in: directory)
    self.options = options
    self.path = path
    self.lists = lists
    self.signals = signals
    self.feeds = feeds
    feedRequests = pipe.reading
    self.journal = journal
    self.record = record
    connections.append(Connection(input: 0, output: 1, options))
  }

  /// Serves until a signal arrives or the daemon is no longer needed. Returns the exit code.
  ///
  /// - Throws: If changes cannot be saved.
  mutating func run() throws(CommandProblem) -> Int32 {
    defer { listener.remove() }
    while true {
      watch()
      removeEnded()
      if isOver { break }
      var polled = PolledDescriptors()
      let signalled = polled.add(signals, POLLIN)
      let arrived = listener.isStuck ? nil : polled.add(listener.number, POLLIN)
      let fed = polled.add(feedRequests, POLLIN)
      for connection in connections { polled.add(connection) }
      let isBusy = feeds.hasRequests || connections.contains { $0.canServe }
      if !isBusy { returnMemory() }
      polled.wait(isBusy ? .zero : patience)
      listener.isStuck = false
      if polled.isReady(signalled) { break }
      if let arrived, polled.isReady(arrived) { accept() }
      if polled.isReady(fed) { readFeedRequests() }
      for (connection, events) in polled.ready {
        if events.canRead, connection.takesInput { connection.read() }
        if events.isBroken { connection.recordUnread() }
      }
      removeEnded()
      try serve()
      try flush()
      removeEnded()
    }
    try flush()
    journal?.abandonRewriting()
    return 0
  }

  /// The longest time to wait for an event.
  private var patience: Duration {
    var patience = listener.isStuck ? .milliseconds(100) : watchInterval
    if connections.isEmpty, let limit = options.exitWhenIdle {
      patience = min(patience, max(.zero, limit - idleStart.duration(to: .now)))
    }
    return patience
  }

  /// Whether the process that the daemon depends on has ended, or no client is connected and none
  /// can connect or has been connected for the configured time.
  private var isOver: Bool {
    if let process = options.clientProcess, !System.isAlive(process) { return true }
    guard connections.isEmpty else { return false }
    if isUnreachable { return true }
    guard let limit = options.exitWhenIdle else { return false }
    return idleStart.duration(to: .now) >= limit
  }

  /// The interval between checks of watched processes and the path.
  private var watchInterval: Duration {
    let watchesProcess =
      options.clientProcess != nil || connections.contains { $0.session.clientProcess != nil }
    return watchesProcess ? Self.processInterval : Self.pathInterval
  }

  /// Ends the connections whose client's process has ended, and checks the path. The path is also
  /// checked each time when no client is connected.
  private mutating func watch() {
    guard connections.isEmpty || lastWatch.duration(to: .now) >= watchInterval else { return }
    lastWatch = .now
    for connection in connections {
      if let process = connection.session.clientProcess, !System.isAlive(process) {
        connection.drop()
      }
    }
    if !listener.isAtItsPath { replaceListener() }
  }

  /// Listens at the path again after its file was removed, so that no client loses its lists.
  private mutating func replaceListener() {
    // Clients that connected before the file was removed.
    accept()
    if connections.isEmpty {
      Descriptor.report("no client is connected, and \(path.path) is no longer this socket")
      isUnreachable = true
    } else if path.isFree, let new = try? path.listen(in: path.claim(waits: false)) {
      Descriptor.report("\(path.path) was removed and is made again")
      listener.stop()
      listener = new
    }
  }

  private mutating func accept() {
    for descriptor in listener.accept() {
      let number = descriptor.number
      connections.append(Connection(input: number, output: number, options))
    }
  }

  /// Empties the pipe that wakes the server. The requests are in the mailbox.
  private func readFeedRequests() {
    withUnsafeTemporaryAllocation(byteCount: 1 << 10, alignment: 1) { buffer in
      while System.readBytes(feedRequests, buffer) == buffer.count {}
    }
  }

  /// Answers one frame of each client and one request of a feed in turn, for at most about `round`.
  private mutating func serve() throws(CommandProblem) {
    let start = MonotonicTime.now
    var rest = connections.count
    while rest > 0 || feeds.hasRequests, start.duration(to: .now) < Self.round {
      if turn >= connections.count, feeds.hasRequests {
        turn = 0
        serveFeed()
        rest = connections.count
        continue
      }
      if connections.isEmpty { continue }
      if turn >= connections.count { turn = 0 }
      let connection = connections[turn]
      turn += 1
      rest -= 1
      guard connection.canServe else { continue }
      // Progress notifications must not overtake earlier replies.
      if connection.waiting > 0, connection.nextIsLong(Self.longMessage) { try flush() }
      serve(connection)
      rest = connections.count
    }
  }

  private mutating func serveFeed() {
    feeds.serve(on: &lists, &record)
    distributeNotifications()
    journal?.compact(&lists)
    freed += lists.service.takeFreedMemory()
  }

  private mutating func serve(_ connection: Connection) {
    if connection.session.number == 0, connection.nextIsFrame {
      let number = lists.service.nextClient()
      connection.session.number = number
      numbered[number] = connection
    }
    connection.serve(on: &lists, &record)
    distributeNotifications()
    journal?.compact(&lists)
    freed += lists.service.takeFreedMemory()
    feeds.endThose(of: &lists, &record)
    for words in connection.session.takeDiagnostics() { Descriptor.report(words) }
    if connection.hasEnded { leave(connection) }
  }

  /// Ends what belongs to a client whose session has ended.
  private mutating func leave(_ connection: Connection) {
    let number = connection.session.number
    guard numbered.removeValue(forKey: number) != nil else { return }
    lists.remove(client: number)
    record?.append(.leaves, of: number)
    distributeNotifications()
    freed += lists.service.takeFreedMemory()
  }

  private mutating func distributeNotifications() {
    for notification in lists.takeNotifications() {
      guard let connection = numbered[notification.client] else { continue }
      connection.send(notification)
      record?.append(notification)
    }
  }

  /// Sends waiting bytes, pauses the notifications to clients that do not read, and resumes them
  /// for clients that have read everything.
  ///
  /// - Throws: If changes cannot be saved; then no reply about them is sent.
  private mutating func flush() throws(CommandProblem) {
    if let journal, !journal.sync() {
      throw CommandProblem(words: "changes could not be saved and are not answered", exitCode: 1)
    }
    for connection in connections where connection.waiting > 0 || connection.isBehind {
      connection.flush()
      guard !connection.hasEnded, !connection.isUnread else { continue }
      let number = connection.session.number
      if connection.isBehind, connection.waiting == 0 {
        record?.append(.reads, of: number)
        connection.isBehind = lists.service.resume(number, limit: Connection.waitingLimit)
        distributeNotifications()
        connection.flush()
      } else if !connection.isBehind, connection.isFull {
        record?.append(.stops, of: number)
        lists.service.pause(number)
        connection.isBehind = true
      }
    }
  }

  private mutating func removeEnded() {
    for connection in connections where connection.hasEnded { leave(connection) }
    guard connections.contains(where: { $0.isDone }) else { return }
    for connection in connections where connection.isDone {
      if connection.input == Descriptor.input.number {
        Descriptor.closeStandard()
      } else {
        close(connection.input)
      }
    }
    connections.removeAll { $0.isDone }
    if connections.isEmpty { idleStart = .now }
  }

  private mutating func returnMemory() {
    guard freed >= Self.trimSize else { return }
    System.returnMemory()
    freed = 0
  }
}
