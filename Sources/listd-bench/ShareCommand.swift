import Foundation

/// `listd-bench share`: measures the time until all subscribers of a list have received a change.
struct ShareCommand {
  private var size = 100_000
  private var clients = 100
  private var daemon = Daemon.builtPath

  /// Reads the options; `nil` if one is unknown.
  init?(_ arguments: ArraySlice<String>) {
    var rest = arguments
    while let option = rest.popFirst() {
      switch option {
      case "--size":
        guard let size = rest.popFirst().flatMap({ Int($0) }), size >= 100 else { return nil }
        self.size = size
      case "--clients":
        guard let clients = rest.popFirst().flatMap({ Int($0) }), clients > 0 else { return nil }
        self.clients = clients
      case "--daemon":
        guard let path = rest.popFirst() else { return nil }
        daemon = path
      default: return nil
      }
    }
  }

  func run() throws(Daemon.Problem) {
    let (old, new) = Workload.k.lists(count: size)
    let snapshots = [old, new].map { SnapshotText.request(0, list: "a", $0) }
    let edits = (1...40).map { round in
      var row = old.rows[round * 7919 % size]
      row.content += round
      return SnapshotText.edit(round, list: "a", row: row)
    }
    print("\(size) items, milliseconds until the last subscriber has received a change, and of CPU")
    print("subscribers  formats         change       p50     worst       CPU")
    let formats = ["stages", "ops", "jsonPatch", "textEdits"]
    for (name, requests) in [("edit", edits), ("k", (1...20).map { snapshots[$0 % 2] })] {
      for (count, formats) in [(1, ["stages"])] + formats.map({ (clients, [$0]) })
        + [(clients, formats)]
      {
        let (times, processor) = try measure(count, formats, snapshots[0], requests)
        let label = formats.count > 1 ? "all" : formats[0]
        let words = ["\(count)".padded(11), label.padded(14), name.padded(6)]
        let figures = [times[times.count / 2], times[times.count - 1], processor]
        print((words + figures.map { $0.text.leftPadded(8) }).joined(separator: "  "))
      }
    }
  }

  /// Returns the times of changes for a number of subscribers, in ascending order, and the mean of
  /// the daemon's processor time, in milliseconds.
  private func measure(
    _ count: Int, _ formats: [String], _ first: [UInt8], _ requests: [[UInt8]]
  ) throws(Daemon.Problem) -> (times: [Double], processor: Double) {
    var folder = Array("/tmp/listd-bench-XXXXXX".utf8CString)
    guard mkdtemp(&folder) != nil else { throw .notStarted("a folder") }
    let path = String(decoding: folder.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { rmdir(path) }
    var daemon = try Daemon(daemon, ["--listen", path + "/s", "--exit-when-idle", "0.01"])
    _ = try daemon.ask(first)
    var subscribers: [Subscriber] = []
    defer { for subscriber in subscribers { subscriber.leave() } }
    for index in 0..<count {
      subscribers.append(try Subscriber(path + "/s", formats[index % formats.count]))
    }
    // The first change is not measured because it uses memory for the first time.
    try change(requests[0], &daemon, subscribers)
    var times: [Double] = []
    let before = daemon.processorTime
    for request in requests.dropFirst() {
      let start = ContinuousClock.now
      try change(request, &daemon, subscribers)
      times.append(start.millisecondsAgo)
    }
    let processor = (daemon.processorTime - before) / Double(times.count)
    return (times.sorted(), processor)
  }

  private func change(
    _ request: [UInt8], _ daemon: inout Daemon, _ subscribers: [Subscriber]
  ) throws(Daemon.Problem) {
    _ = try daemon.ask(request)
    try Subscriber.receive(subscribers)
  }
}

/// A client that follows a list and reads each message.
private struct Subscriber {
  private let number: Int32

  /// Connects to a socket and subscribes without receiving the present list.
  init(_ path: String, _ format: String) throws(Daemon.Problem) {
    #if canImport(Glibc)
      number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    #else
      number = socket(AF_UNIX, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let failure = withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(number, $0, size) }
    }
    guard failure == 0 else { throw .ended }
    let since = format == "textEdits" ? "sinceText" : "since"
    let params = #"{"list":"a","format":"\#(format)","\#(since)":1}"#
    let request = Array(
      (#"{"jsonrpc":"2.0","id":1,"method":"subscribe","params":\#(params)}"# + "\n").utf8)
    guard write(number, request, request.count) == request.count else { throw .ended }
    try Self.receive([self])
  }

  /// Receives one message for each subscriber.
  static func receive(_ subscribers: [Subscriber]) throws(Daemon.Problem) {
    var waiting = subscribers.map { pollfd(fd: $0.number, events: Int16(POLLIN), revents: 0) }
    while !waiting.isEmpty {
      guard poll(&waiting, nfds_t(waiting.count), 60_000) > 0 else { throw .ended }
      for index in waiting.indices.reversed() where waiting[index].revents != 0 {
        let count = withUnsafeTemporaryAllocation(byteCount: 1 << 18, alignment: 16) { buffer in
          let count = read(waiting[index].fd, buffer.baseAddress, buffer.count)
          // A message ends with a line feed.
          if count > 0, buffer[count - 1] == 0x0A { waiting.remove(at: index) }
          return count
        }
        guard count > 0 else { throw .ended }
      }
    }
  }

  func leave() { close(number) }
}
