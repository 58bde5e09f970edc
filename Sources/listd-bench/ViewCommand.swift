import Foundation

/// `listd-bench view`: what views take for edits of their source, moves of a window and queries.
///
/// Times are those that the daemon's process spends on a processor, so that pipes and neighbours do not
/// count.
struct ViewCommand {
  private var sizes: [Int] = []
  private var daemon = "listd"

  /// Reads the options; `nil` if one is unknown.
  init?(_ arguments: ArraySlice<String>) {
    // The daemon is built beside this program.
    let own = CommandLine.arguments[0]
    if let end = own.lastIndex(of: "/") { daemon = own[...end] + "listd" }
    var rest = arguments
    while let option = rest.popFirst() {
      switch option {
      case "--size":
        guard let size = rest.popFirst().flatMap({ Int($0) }), size >= 100 else { return nil }
        sizes.append(size)
      case "--daemon":
        guard let path = rest.popFirst() else { return nil }
        daemon = path
      default: return nil
      }
    }
    if sizes.isEmpty { sizes = [1_000, 100_000, 1_000_000] }
  }

  func run() throws(Daemon.Problem) {
    print("milliseconds of the daemon's CPU".padded(34) + "p50     p99.9       max")
    for size in sizes {
      let requests = ViewRequests(PathCorpus.paths(size))
      print("\(size) items")
      try measure("edit, no view", requests, 500, nil, requests.edit)
      for (name, view) in ViewRequests.views {
        try measure("edit, \(name)", requests, 500, requests.compose(view), requests.edit)
      }
      let view = ViewRequests.orders[0]
      try measure("edit, not in a window", requests, 500, requests.compose(view, start: nil)) {
        requests.edit($0)
      }
      try measure("window moved", requests, 500, requests.compose(view)) {
        requests.compose(view, start: $0 * 7919 % size)
      }
      try measure("sorted by another member", requests, 20, requests.compose(view)) {
        requests.compose(ViewRequests.orders[$0 % 2])
      }
      for (place, query) in ViewRequests.queries.enumerated() {
        let before = place == 0 ? "" : ViewRequests.queries[place - 1]
        let pair = [before, query].map { requests.compose(query: $0) }
        try measure("query \(query) after \(before)", requests, 20, pair[0], every: 2) {
          pair[$0 % 2]
        }
      }
    }
  }

  /// Prints what some requests take, after the first; of `every` so many only the last counts.
  private func measure(
    _ name: String, _ requests: ViewRequests, _ rounds: Int, _ begin: [UInt8]?, every: Int = 1,
    _ request: (Int) -> [UInt8]
  ) throws(Daemon.Problem) {
    var daemon = try Daemon(daemon)
    _ = try daemon.ask(requests.list)
    if let begin { _ = try daemon.ask(begin) }
    _ = try daemon.ask(request(0))
    var times: [Double] = []
    for round in 1...rounds * every {
      let request = request(round)
      let before = daemon.processorTime
      _ = try daemon.ask(request)
      if round % every == every - 1 { times.append(daemon.processorTime - before) }
    }
    times.sort()
    let last = times.count - 1
    let figures = [times[last / 2], times[last * 999 / 1000], times[last]]
    print("  " + name.padded(28) + figures.map { $0.text.leftPadded(10) }.joined())
  }
}

extension String {
  fileprivate func padded(_ width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  fileprivate func leftPadded(_ width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}
