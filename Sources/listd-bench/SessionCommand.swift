import Foundation

/// `listd-bench session`: measures round trips of whole snapshots to a daemon over pipes.
struct SessionCommand {
  private var sizes: [Int] = []
  private var writesJSON = false
  private var daemon = Daemon.builtPath
  private static let workloads: [Workload] = [.k, .a, .d]

  /// Reads the options; `nil` if one is unknown.
  init?(_ arguments: ArraySlice<String>) {
    var rest = arguments
    while let option = rest.popFirst() {
      switch option {
      case "--json": writesJSON = true
      case "--size":
        guard let size = rest.popFirst().flatMap({ Int($0) }), size >= 100 else { return nil }
        sizes.append(size)
      case "--daemon":
        guard let path = rest.popFirst() else { return nil }
        daemon = path
      default: return nil
      }
    }
    if sizes.isEmpty { sizes = [1_000, 10_000, 100_000, 1_000_000] }
  }

  func run() throws(Daemon.Problem) {
    let start = try startTime()
    if !writesJSON {
      print("start to first reply \(start.text) ms")
      print(SessionFigures.heading)
    }
    var last: [String: SessionFigures] = [:]
    for size in sizes {
      for var figures in try measure(size) {
        figures.previous = last[figures.name].map { ($0.rows, $0.median) }
        print(writesJSON ? figures.json : figures.line)
        last[figures.name] = figures
      }
    }
  }

  /// The median time from the start of a process to its first reply, in milliseconds.
  private func startTime() throws(Daemon.Problem) -> Double {
    var times: [Double] = []
    for _ in 0..<21 {
      let start = ContinuousClock.now
      var daemon = try Daemon(daemon)
      _ = try daemon.ask(SnapshotText.echo(0))
      times.append(start.millisecondsAgo)
    }
    return times.sorted()[10]
  }

  private func measure(_ size: Int) throws(Daemon.Problem) -> [SessionFigures] {
    let rounds = max(4, min(200, 2_000_000 / size))
    var result: [SessionFigures] = []
    for workload in Self.workloads {
      let (old, new) = workload.lists(count: size)
      let requests = [
        SnapshotText.request(0, list: "a", old), SnapshotText.request(1, list: "a", new),
      ]
      var daemon = try Daemon(daemon)
      var first = SessionFigures("first", rows: size)
      try first.measure(requests[0], &daemon)
      var figures = SessionFigures(workload.rawValue, rows: size)
      // The change and its reverse alternate; both have the same cost.
      for round in 1...rounds { try figures.measure(requests[round % 2], &daemon) }
      figures.peakMemory = daemon.peakMemory
      figures.clientSide = ClientSide.milliseconds(
        old: requests[0], new: requests[1], rounds: max(3, rounds / 10))
      if workload == .k {
        first.peakMemory = daemon.peakMemory
        result.append(first)
        var edits = SessionFigures("edit", rows: size)
        // Created before the measurement, so that it does not evict the daemon's memory from the
        // caches.
        let rows = old.rows
        let requestsToEdit = (1...200).map { round in
          var row = rows[round * 7919 % rows.count]
          row.content += round
          return SnapshotText.edit(round, list: "a", row: row)
        }
        for request in requestsToEdit { try edits.measure(request, &daemon) }
        result.append(edits)
      }
      result.append(figures)
    }
    return result
  }
}

/// The round trips of one kind of request at one size.
struct SessionFigures {
  let name: String
  let rows: Int
  private var times: [Double] = []
  private var sent = 0
  private var received = 0
  var peakMemory = 0
  var clientSide: Double?

  /// The number of rows and the median at the next smaller size.
  var previous: (rows: Int, median: Double)?

  init(_ name: String, rows: Int) {
    self.name = name
    self.rows = rows
  }

  mutating func measure(_ request: [UInt8], _ daemon: inout Daemon) throws(Daemon.Problem) {
    let start = ContinuousClock.now
    received = try daemon.ask(request)
    times.append(start.millisecondsAgo)
    sent = request.count
  }

  var median: Double { times.sorted()[times.count / 2] }
  private var slowest: Double { times.sorted()[min(times.count - 1, times.count * 99 / 100)] }

  static let heading = cells([
    "rows", "workload", "p50 ms", "p99 ms", "sent", "reply", "peak MiB", "Python ms", "growth",
  ])

  var line: String {
    let growth = previous.map { "\((median / $0.median).text) of \(rows / max(1, $0.rows))" }
    return Self.cells([
      "\(rows)", name, median.text, slowest.text, "\(sent)", "\(received)",
      peakMemory == 0 ? "–" : (Double(peakMemory) / 1_048_576).text, clientSide?.text ?? "–",
      growth ?? "–",
    ])
  }

  var json: String {
    """
    {"rows":\(rows),"workload":"\(name)","p50":\(median),"p99":\(slowest),"sent":\(sent),\
    "reply":\(received),"peakBytes":\(peakMemory == 0 ? "null" : "\(peakMemory)"),\
    "python":\(clientSide.map { "\($0)" } ?? "null")}
    """
  }

  private static func cells(_ words: [String]) -> String {
    words.map { String(repeating: " ", count: max(1, 15 - $0.count)) + $0 }.joined()
  }
}

extension Double {
  /// The number with three decimal places.
  var text: String {
    let thousandths = Int((self * 1000).rounded())
    let fraction = String(thousandths % 1000)
    return "\(thousandths / 1000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction)"
  }
}

extension ContinuousClock.Instant {
  var millisecondsAgo: Double {
    let duration = duration(to: .now)
    return Double(duration.components.seconds) * 1e3 + Double(duration.components.attoseconds)
      / 1e15
  }
}
