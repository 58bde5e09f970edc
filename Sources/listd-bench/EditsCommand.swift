import Foundation

/// `listd-bench edits`: measures what edits of one item cost, by the kinds of lists and of edits, and
/// requests a second, compared with `cat`.
///
/// Times are those of the daemon's process, in milliseconds, without pipes and other load on the
/// machine.
struct EditsCommand {
  private let options: DaemonOptions
  private static let rounds = 500

  /// The daemon's time after which a kind of edit is not measured any further, in milliseconds.
  private static let longest = 3_000.0

  /// Reads the options; `nil` if one is unknown.
  init?(_ arguments: ArraySlice<String>) {
    guard let options = DaemonOptions(arguments, leastSize: 1000) else { return nil }
    self.options = options
  }

  func run() throws(Daemon.Problem) {
    let head = ["CPU: p50", "p99.9", "max"]
    print("milliseconds".padded(34) + head.map { $0.leftPadded(11) }.joined())
    for size in options.sizes {
      let requests = EditRequests(count: size)
      print("\(size) items")
      for setting in requests.settings { try measure(requests, setting) }
      try measureGoingBack(requests)
    }
    for size in options.sizes { try measureMemory(EditRequests(count: size)) }
    try measureThroughput()
  }

  /// Prints the times of each kind of edit.
  private func measure(
    _ requests: EditRequests, _ setting: EditRequests.Setting
  ) throws(Daemon.Problem) {
    defer { unlink(EditRequests.journal) }
    var daemon = try Daemon(options.daemon, setting.arguments)
    for request in setting.requests { _ = try daemon.ask(request) }
    for kind in requests.kinds {
      var times: [Double] = []
      let start = daemon.processorTime
      for round in 0...Self.rounds where daemon.processorTime < start + Self.longest {
        let request = requests.edit(kind, round, setting)
        let before = daemon.processorTime
        _ = try daemon.ask(request)
        for _ in 0..<setting.notifications { _ = try daemon.receive() }
        // The first edit builds what later ones use.
        if round > 0 || kind.name != requests.kinds[0].name {
          times.append(daemon.processorTime - before)
        }
      }
      report("\(setting.name): \(kind.name)", times)
    }
  }

  private func measureGoingBack(_ requests: EditRequests) throws(Daemon.Problem) {
    var daemon = try Daemon(options.daemon)
    for request in requests.plain.requests { _ = try daemon.ask(request) }
    var times: [Double] = []
    for round in 0...100 {
      _ = try daemon.ask(requests.edit(requests.kinds[0], round, requests.plain))
      let before = daemon.processorTime
      _ = try daemon.ask(requests.goBack(2 * round + 1))
      times.append(daemon.processorTime - before)
    }
    report("going back to the revision before", times)
  }

  private func report(_ name: String, _ times: [Double]) {
    let times = times.sorted()
    let last = times.count - 1
    let figures = [times[last / 2], times[last * 999 / 1000], times[last]]
    print("  " + name.padded(40) + figures.map { $0.text.leftPadded(9) }.joined(separator: "  "))
  }

  /// Prints the memory, in bytes, of a row beside its text, and of the history of an update beside
  /// the text that it replaces.
  private func measureMemory(_ requests: EditRequests) throws(Daemon.Problem) {
    var daemon = try Daemon(options.daemon)
    _ = try daemon.ask(requests.small(0))
    let empty = daemon.memory
    let list = requests.plain.requests[0]
    _ = try daemon.ask(list)
    let loaded = daemon.memory
    let kind = requests.kinds[0]
    var text = 0
    // Until memory that was freed before is used again.
    for round in 0..<2_000 { _ = try daemon.ask(requests.edit(kind, round, requests.plain)) }
    let before = daemon.memory
    for round in 2_000..<22_000 {
      _ = try daemon.ask(requests.edit(kind, round, requests.plain))
      text += #"{"id":,"text":"Message number ","round":}"#.utf8.count + 3 * 6
    }
    let row = Double(loaded - empty - list.count) / Double(requests.count)
    let edit = Double(daemon.memory - before - text) / 20_000
    print(
      "\(requests.count) items: \(Int(row)) bytes a row, \(Int(edit)) bytes an update,"
        + " beside the text")
  }

  /// Prints requests a second if they are sent without waiting for answers, and if each waits.
  private func measureThroughput() throws(Daemon.Problem) {
    let requests = EditRequests(count: 1000)
    let some = (0..<50_000).map { requests.small($0) }
    print("requests a second".padded(34) + "pipelined  one by one")
    for (name, path) in [("cat", "cat"), ("a snapshot of one row", options.daemon)] {
      var daemon = try Daemon(path)
      for request in some.prefix(1000) { _ = try daemon.ask(request) }
      let start = ContinuousClock.now
      try daemon.ask(pipelined: some)
      let pipelined = start.millisecondsAgo
      let alone = ContinuousClock.now
      for request in some.prefix(10_000) { _ = try daemon.ask(request) }
      let figures = [50_000e3 / pipelined, 10_000e3 / alone.millisecondsAgo]
      print(
        "  " + name.padded(30) + figures.map { "\(Int($0))".leftPadded(11) }.joined())
    }
  }
}
