import Foundation

/// `listd-bench ways`: measures each way to change a list under each thing that shows it.
///
/// Times are those of the daemon's process, medians in milliseconds, without pipes and other load on the
/// machine; ratios are to those of a list that nothing shows.
struct WaysCommand {
  private let options: DaemonOptions
  private static let rounds = 9

  /// Reads the options; `nil` if one is unknown.
  init?(_ arguments: ArraySlice<String>) {
    guard let options = DaemonOptions(arguments, leastSize: 1000, sizes: [20_000, 100_000]) else {
      return nil
    }
    self.options = options
  }

  func run() throws(Daemon.Problem) {
    for size in options.sizes {
      let requests = WayRequests(count: size)
      print(
        "\(size) items, milliseconds".padded(26)
          + WayRequests.ways.map { $0.leftPadded(22) }.joined())
      var alone: [Double] = []
      for shown in WayRequests.shown {
        let times = try measure(requests, shown)
        if alone.isEmpty { alone = times }
        let figures = zip(times, alone).map { time, alone in
          "\(time.text) (\((time / alone).text))".leftPadded(22)
        }
        print("  " + shown.name.padded(24) + figures.joined())
      }
    }
  }

  /// Returns the median time of each way.
  private func measure(
    _ requests: WayRequests, _ shown: WayRequests.Shown
  ) throws(Daemon.Problem) -> [Double] {
    defer { unlink(EditRequests.journal) }
    var daemon = try Daemon(options.daemon, shown.arguments)
    _ = try daemon.ask(requests.list)
    for request in shown.requests { _ = try daemon.ask(request) }
    var medians: [Double] = []
    for way in WayRequests.ways.indices {
      var times: [Double] = []
      for round in 0...Self.rounds {
        let (before, measured) = requests.change(way, round)
        if let before { try ask(&daemon, before, shown) }
        let start = daemon.processorTime
        try ask(&daemon, measured, shown)
        // The first one of each way builds what later ones use.
        if round > 0 { times.append(daemon.processorTime - start) }
      }
      medians.append(times.sorted()[Self.rounds / 2])
    }
    return medians
  }

  private func ask(
    _ daemon: inout Daemon, _ request: [UInt8], _ shown: WayRequests.Shown
  ) throws(Daemon.Problem) {
    _ = try daemon.ask(request)
    for _ in 0..<shown.notifications { _ = try daemon.receive() }
  }
}

/// Requests about a list `a`, and about what shows it.
private struct WayRequests {
  /// What shows the list.
  struct Shown {
    let name: String
    var requests: [[UInt8]] = []

    /// The number of notifications after the answer to each change.
    var notifications = 0

    /// The arguments of the daemon.
    var arguments: [String] = []
  }

  static let ways = [
    "row by snapshot", "row by edit", "move by edit", "20 rows appended", "1 % by snapshot",
    "edit after snapshot", "snapshot after edit",
  ]

  static let shown: [Shown] = [
    Shown(name: "nothing"),
    Shown(name: "composite", requests: [compose("v", nil)]),
    Shown(name: "where", requests: [compose("v", #""where":{"member":"n","to":8000}"#)]),
    Shown(name: "sort", requests: [compose("v", #""sort":[{"by":"n"}]"#)]),
    Shown(
      name: "match, window", requests: [compose("v", #""match":{"query":"mes 7"},\#(window)"#)]),
    Shown(
      name: "groups", requests: [compose("v", #""sort":[{"by":"n"}],"sections":{"by":"g"}"#)]),
    Shown(name: "outline, window", requests: [compose("v", #""tree":{"parent":"up"},\#(window)"#)]),
    Shown(
      name: "four sorted views",
      requests: (0..<4).map { compose("v\($0)", #""sort":[{"by":"n"}],\#(window)"#) }),
    Shown(
      name: "text",
      requests: [
        EditRequests.framed("registerTemplates", #"{"templates":{"Cell":"{text}"}}"#),
        EditRequests.framed("subscribe", #"{"list":"a","format":"textEdits"}"#),
      ], notifications: 1),
    Shown(name: "journal", arguments: ["--journal", EditRequests.journal]),
  ]

  private static let window = #""window":{"start":100,"count":40}"#

  let count: Int

  private static func compose(_ name: String, _ view: String?) -> [UInt8] {
    let view = view.map { #","view":{\#($0)}"# } ?? ""
    return EditRequests.framed(
      "compose", #"{"list":"\#(name)","sources":["a"],"format":"none"\#(view)}"#)
  }

  private func item(_ number: Int, _ change: Int = 0) -> String {
    let n = (number * 7919 + change * 31) % 10007
    let parent = number < 10 ? "null" : "\(number / 10)"
    return
      #"{"id":\#(number),"text":"Message number \#(number)","n":\#(n),"g":\#(number % 20),"up":\#(parent)}"#
  }

  private func snapshot(_ changed: Set<Int>, _ change: Int) -> [UInt8] {
    let items = (0..<count).map { item($0, changed.contains($0) ? change : 0) }
    return EditRequests.framed(
      "applySnapshot", #"{"list":"a","format":"none","items":[\#(items.joined(separator: ","))]}"#)
  }

  private func edit(_ edit: String) -> [UInt8] {
    EditRequests.framed("editSnapshot", #"{"list":"a","format":"none","edits":[\#(edit)]}"#)
  }

  private func update(_ round: Int) -> [UInt8] {
    edit(#"{"edit":"updateItems","items":[\#(item(number(round), round + 100))]}"#)
  }

  /// An item of each round, scattered over the list.
  private func number(_ round: Int) -> Int { (round * 7919 + 13) % count }

  var list: [UInt8] { snapshot([], 0) }

  /// Returns a change by a way, and the request before it, which is not measured.
  func change(_ way: Int, _ round: Int) -> (before: [UInt8]?, measured: [UInt8]) {
    let row = snapshot([number(round)], round + 1)
    switch way {
    case 0: return (nil, row)
    case 1: return (nil, update(round))
    case 2:
      let places = #""items":[\#(number(round))],"after":\#(number(round + 1))"#
      return (nil, edit(#"{"edit":"moveItems",\#(places)}"#))
    case 3:
      let items = (0..<20).map { item(count + round * 20 + $0) }.joined(separator: ",")
      return (nil, edit(#"{"edit":"appendItems","items":[\#(items)]}"#))
    case 4:
      let some = stride(from: round, to: count, by: 100)
      return (list, snapshot(Set(some), round + 1))
    case 5: return (row, update(round + 1))
    default: return (update(round), row)
    }
  }
}
