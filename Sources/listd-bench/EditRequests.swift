import Foundation

/// Requests about a list `a` of items with numbers as identifiers, and edits of one item each.
struct EditRequests {
  /// A kind of list, or what follows it.
  struct Setting {
    let name: String

    /// The requests before the edits; the first one creates the list.
    let requests: [[UInt8]]

    /// The number of notifications after the answer to each edit.
    var notifications = 0

    /// The request with each edit, apart from its edits.
    var more = ""

    /// The arguments of the daemon.
    var arguments: [String] = []
  }

  /// A kind of edit. `make` returns the edits of a round.
  struct Kind {
    let name: String
    let make: (Int) -> String
  }

  let count: Int

  /// The file of the journal.
  static let journal = "/tmp/listd-bench-\(getpid()).journal"

  static func framed(_ method: String, _ params: String) -> [UInt8] {
    let body = #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(params)}"#
    return Array("Content-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
  }

  private func item(_ number: Int, _ more: String = "") -> String {
    #"{"id":\#(number),"text":"Message number \#(number)"\#(more)}"#
  }

  /// An item of each round, none of them twice in a row, scattered over the list.
  private func number(_ round: Int) -> Int { round * 7919 % count }

  private func list(_ items: (Int) -> String) -> [UInt8] {
    let items = (0..<count).map(items).joined(separator: ",")
    return Self.framed("applySnapshot", #"{"list":"a","format":"none","items":[\#(items)]}"#)
  }

  var kinds: [Kind] {
    [
      Kind(name: "update") { round in
        let item = item(number(round), #","round":\#(round)"#)
        return #"{"edit":"updateItems","items":[\#(item)]}"#
      },
      Kind(name: "insert") { round in
        #"{"edit":"insertItems","items":[\#(item(count + round))],"after":\#(number(round))}"#
      },
      Kind(name: "move") { round in
        #"{"edit":"moveItems","items":[\#(number(round))],"after":\#(number(round + 1))}"#
      },
      Kind(name: "delete") { #"{"edit":"deleteItems","items":[\#(number($0))]}"# },
    ]
  }

  /// Returns a request with an edit of a setting.
  func edit(_ kind: Kind, _ round: Int, _ setting: Setting) -> [UInt8] {
    let more = setting.more.replacingNumber(with: number(round))
    return Self.framed("editSnapshot", #"{"list":"a","edits":[\#(kind.make(round))]\#(more)}"#)
  }

  /// Requests with the same effect as an update and its reverse, by revisions.
  func goBack(_ revision: Int) -> [UInt8] {
    Self.framed(
      "applySnapshot", #"{"list":"a","snapshot":{"list":"a","revision":\#(revision)}}"#)
  }

  /// A request with a snapshot of one row.
  func small(_ round: Int) -> [UInt8] {
    Self.framed("applySnapshot", #"{"list":"o","items":[{"id":1,"text":"\#(round)"}]}"#)
  }

  /// The list without anything that follows it.
  var plain: Setting { Setting(name: "plain", requests: [list { item($0) }]) }

  var settings: [Setting] {
    let list = list { item($0) }
    let subscribe = Self.framed("subscribe", #"{"list":"a","format":"ops","since":1}"#)
    let compose = [("c", "a"), ("d", "c"), ("e", "d")].map { composite, source in
      Self.framed("compose", #"{"list":"\#(composite)","sources":["\#(source)"]}"#)
    }
    let follow = Self.framed("subscribe", #"{"list":"e","format":"ops","since":1}"#)
    let getText = Self.framed("getText", #"{"list":"a","window":{"start":0,"count":1}}"#)
    let followText = Self.framed(
      "subscribe", #"{"list":"a","format":"textEdits","sinceText":1}"#)
    let selected = stride(from: 0, to: count, by: max(1, count / 100)).map { "\($0)" }
    let select = Self.framed(
      "select",
      #"{"list":"a","action":"set","items":[\#(selected.joined(separator: ","))]}"#)
    let parts = self.list { item($0, #","parts":["\#($0)",{"template":"Spacing"}]"#) }
    return [
      plain,
      Setting(name: "ops subscriber", requests: [list, subscribe], notifications: 1),
      Setting(name: "composite", requests: [list, compose[0]]),
      Setting(
        name: "3 levels of composites, followed", requests: [list] + compose + [follow],
        notifications: 1),
      Setting(name: "parts", requests: [parts]),
      Setting(name: "10,000 sections", requests: [manySections]),
      Setting(name: "two repeated items", requests: [repeated]),
      Setting(name: "with cursor", requests: [list], more: #","cursor":#"#),
      Setting(name: "100 selected", requests: [multiple, select]),
      Setting(name: "journal", requests: [list], arguments: ["--journal", Self.journal]),
      Setting(name: "open text", requests: [list, getText]),
      Setting(
        name: "textEdits subscriber", requests: [list, getText, followText], notifications: 1),
    ]
  }

  private var multiple: [UInt8] {
    let items = (0..<count).map { item($0) }.joined(separator: ",")
    let section = #"{"id":"main","selectionMode":"multiple","items":[\#(items)]}"#
    return Self.framed(
      "applySnapshot", #"{"list":"a","format":"none","sections":[\#(section)]}"#)
  }

  private var manySections: [UInt8] {
    let number = min(10_000, max(1, count / 2))
    let sections = (0..<number).map { section in
      let items = (section * count / number..<(section + 1) * count / number).map { item($0) }
      return #"{"id":\#(section),"items":[\#(items.joined(separator: ","))]}"#
    }
    return Self.framed(
      "applySnapshot",
      #"{"list":"a","format":"none","sections":[\#(sections.joined(separator: ","))]}"#)
  }

  /// A list in which an item without identifier occurs twice.
  private var repeated: [UInt8] {
    let bare = #"{"text":"-"}"#
    let items = [bare] + (0..<count).map { item($0) } + [bare]
    return Self.framed(
      "applySnapshot",
      #"{"list":"a","format":"none","items":[\#(items.joined(separator: ","))]}"#)
  }
}

extension String {
  /// The string with a number instead of each `#`.
  fileprivate func replacingNumber(with number: Int) -> String {
    split(separator: "#", omittingEmptySubsequences: false).joined(separator: "\(number)")
  }
}
