import Foundation

/// `listd-bench view`: measures what views cost for edits of their source, moves of a window and
/// queries, compared with `fzf --filter`, if it is installed, and with a view that is recomputed.
///
/// CPU times are those of the daemon's process, without pipes and other load on the machine. Clock
/// times are from the request to the end of the answer.
struct ViewCommand {
  private let options: DaemonOptions

  /// Reads the options; `nil` if one is unknown.
  init?(_ arguments: ArraySlice<String>) {
    guard let options = DaemonOptions(arguments, leastSize: 100) else { return nil }
    self.options = options
  }

  func run() throws {
    let head = ["CPU: p50", "p99.9", "max", "clock: p50", "max", "beside", "ratio"]
    print("milliseconds".padded(34) + head.map { $0.leftPadded(11) }.joined())
    for size in options.sizes {
      let paths = PathCorpus.paths(size)
      print("\(size) items")
      try measureEdits(ViewRequests(paths))
      try measureQueries(ViewRequests(paths), paths)
    }
  }

  private func measureEdits(_ requests: ViewRequests) throws(Daemon.Problem) {
    let size = requests.count
    try measure("edit, no view", requests, rounds: 500, request: requests.edit)
    for (name, view) in ViewRequests.views {
      try measure(
        "edit, \(name)", requests, rounds: 500, first: requests.compose(view),
        request: requests.edit)
    }
    let view = ViewRequests.orders[0]
    let recomputed = NaiveView(requests).milliseconds
    try measure(
      "edit, not in a window", requests, rounds: 500, first: requests.compose(view, start: nil),
      comparedWith: recomputed
    ) { requests.edit($0) }
    try measure("window moved", requests, rounds: 500, first: requests.compose(view)) {
      requests.compose(view, start: $0 * 7919 % size)
    }
    try measure("sorted by another member", requests, rounds: 20, first: requests.compose(view)) {
      requests.compose(ViewRequests.orders[$0 % 2])
    }
  }

  private func measureQueries(_ requests: ViewRequests, _ paths: [String]) throws {
    let file = try MatchFiles.temporary(paths)
    defer { unlink(file) }
    for (index, query) in ViewRequests.queries.enumerated() {
      let before = index == 0 ? "" : ViewRequests.queries[index - 1]
      let pair = [before, query].map { requests.compose(query: $0) }
      let other = MatchFiles.filter(query, file)
      try measure(
        "query \(query) after \(before)", requests, rounds: 20, first: pair[0], every: 2,
        comparedWith: other
      ) { pair[$0 % 2] }
    }
  }

  /// Prints the times of requests, without the first one. Only the last of each group of `every`
  /// requests counts.
  private func measure(
    _ name: String, _ requests: ViewRequests, rounds: Int, first: [UInt8]? = nil, every: Int = 1,
    comparedWith other: Double? = nil, request: (Int) -> [UInt8]
  ) throws(Daemon.Problem) {
    var daemon = try Daemon(options.daemon)
    _ = try daemon.ask(requests.list)
    if let first { _ = try daemon.ask(first) }
    _ = try daemon.ask(request(0))
    var times: [Double] = []
    var waits: [Double] = []
    for round in 1...rounds * every {
      let request = request(round)
      let before = daemon.processorTime
      let start = ContinuousClock.now
      _ = try daemon.ask(request)
      guard round % every == every - 1 else { continue }
      waits.append(start.millisecondsAgo)
      times.append(daemon.processorTime - before)
    }
    times.sort()
    waits.sort()
    let last = times.count - 1
    var figures = [times[last / 2], times[last * 999 / 1000], times[last]]
    figures += [waits[last / 2], waits[last]]
    if let other { figures += [other, waits[last / 2] / other] }
    print("  " + name.padded(32) + figures.map { $0.text.leftPadded(11) }.joined())
  }
}

/// A sorted view that is recomputed for each edit and compared with its previous rows.
private struct NaiveView {
  private struct Item: Hashable {
    var number: Int
    var text: String
  }

  private let requests: ViewRequests

  init(_ requests: ViewRequests) { self.requests = requests }

  /// The median time for an edit.
  var milliseconds: Double {
    var items = (0..<requests.count).map { Item(number: $0, text: requests.text(of: $0)) }
    var shown = items.sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
    return Measurement {
      items[items.count / 2].text += "x"
      let new = items.sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
      var changed = 0
      for (old, new) in zip(shown, new) where old != new { changed += 1 }
      precondition(changed > 0)
      shown = new
    }.milliseconds
  }
}
