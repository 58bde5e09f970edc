import ByteBuffers
import Commands
import JSONBytes
import ListCompare
import ListServer

/// A recorded session as an HTML page that steps through the requests.
struct RecordPage {
  /// The indices of texts, which are stored once.
  private var texts: [String: Int] = [:]
  private var textOrder: [String] = []

  /// The numbers of the keys of rows.
  private var keys: [String: Int] = [:]

  /// Appends the page of a session, with the requests of these numbers, from 1. If it begins later,
  /// the lists before that are its first state.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes of all lists after each request.
  mutating func append(
    _ story: RecordedStory, _ requests: ClosedRange<Int>, title: String,
    to output: inout ByteBuffer
  ) throws(ComparisonFailure) {
    var turns = ByteBuffer()
    turns.append("[")
    let shown = story.turns.prefix(requests.upperBound).dropFirst(requests.lowerBound - 1)
    if let first = shown.first, requests.lowerBound > 1 {
      try append(statesBefore: shown.startIndex, of: story, at: first.at, to: &turns)
      turns.append(",")
    }
    for (index, turn) in shown.enumerated() {
      if index > 0 { turns.append(",") }
      try append(turn, to: &turns)
    }
    turns.append("]")
    var data = ByteBuffer()
    data.append("{\"title\":")
    data.append(shown: title)
    data.append(",\"texts\":[")
    for (index, text) in textOrder.enumerated() {
      if index > 0 { data.append(",") }
      data.append(string: text)
    }
    data.append("],\"turns\":")
    data.append(contentsOf: turns)
    data.append("}")
    output.append(contentsOf: Self.head.utf8)
    // A `<` in the data could end the script element.
    data.withUnsafeBytes { bytes in
      for byte in bytes {
        if byte == 0x3C { output.append("\\u003c") } else { output.append(byte) }
      }
    }
    output.append(contentsOf: Self.tail.utf8)
  }

  /// Appends a turn that shows the lists as they were before a turn.
  private mutating func append(
    statesBefore end: Int, of story: RecordedStory, at time: Int, to data: inout ByteBuffer
  ) throws(ComparisonFailure) {
    var last: [RecordedStory.Change] = []
    for change in story.turns[..<end].flatMap({ $0.changes }) {
      last.removeAll { $0.list == change.list }
      last.append(change)
    }
    data.append("{\"at\":")
    data.append(decimal: time)
    data.append(member: "id", string: "")
    data.append(member: "method", string: "the lists before request \(end + 1)")
    data.append(member: "list", string: "")
    data.append(member: "request", string: "")
    data.append(",\"replies\":[],\"changes\":[")
    for (index, var change) in last.enumerated() {
      if index > 0 { data.append(",") }
      change.old = change.new
      change.oldRevision = change.newRevision
      try append(change, to: &data)
    }
    data.append("]}")
  }

  private mutating func append(
    _ turn: RecordedStory.Turn, to data: inout ByteBuffer
  ) throws(ComparisonFailure) {
    data.append("{\"at\":")
    data.append(decimal: turn.at)
    if let end = turn.answeredAt {
      data.append(member: "took")
      data.append(decimal: end - turn.at)
    }
    data.append(member: "id")
    data.append(shown: turn.id ?? "")
    data.append(member: "method")
    data.append(shown: turn.method)
    data.append(member: "list")
    data.append(shown: turn.list ?? "")
    if let failure = turn.failure {
      data.append(member: "error")
      data.append(shown: "\(failure.code) \(failure.message)")
    }
    data.append(member: "request")
    data.append(string: turn.message.map(Self.text) ?? "")
    data.append(",\"replies\":[")
    for (index, answer) in turn.answers.enumerated() {
      if index > 0 { data.append(",") }
      data.append(string: Self.text(answer))
    }
    data.append("],\"changes\":[")
    for (index, change) in turn.changes.enumerated() {
      if index > 0 { data.append(",") }
      try append(change, to: &data)
    }
    data.append("]}")
  }

  /// Returns a message for people, with its line ends.
  private static func text(_ message: SharedBytes) -> String {
    message.withBytes { String(decoding: $0, as: UTF8.self) }
      .split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
      .map { String($0).printable }.joined(separator: "\n")
  }

  private mutating func append(
    _ change: RecordedStory.Change, to data: inout ByteBuffer
  ) throws(ComparisonFailure) {
    var options = ComparisonOptions()
    options.input = .snapshot
    let comparison = try Comparison(
      ComparedFile(name: change.list, content: change.old),
      ComparedFile(name: change.list, content: change.new), options)
    data.append("{\"list\":")
    data.append(shown: change.list)
    data.append(member: "from")
    data.append(decimal: change.oldRevision)
    data.append(member: "to")
    data.append(decimal: change.newRevision)
    data.append(member: "summary")
    data.append(shown: comparison.summary)
    data.append(",\"rows\":[")
    for (index, row) in comparison.displayedRows.enumerated() {
      if index > 0 { data.append(",") }
      data.append("[\"")
      data.append(contentsOf: Self.sign(row.kind).utf8)
      data.append(row.isHeading ? "\",1," : "\",0,")
      data.append(decimal: number(ofKey: row.key))
      data.append(",")
      data.append(decimal: number(of: row.text.printable))
      data.append("]")
    }
    data.append("]}")
  }

  private mutating func number(of text: String) -> Int {
    if let number = texts[text] { return number }
    let number = textOrder.count
    texts[text] = number
    textOrder.append(text)
    return number
  }

  private mutating func number(ofKey key: String) -> Int {
    let number = keys[key] ?? keys.count
    keys[key] = number
    return number
  }

  private static func sign(_ kind: ChangeStep.Kind) -> String {
    switch kind {
    case .same: "="
    case .changed: "~"
    case .deleted: "-"
    case .departed: "<"
    case .inserted: "+"
    case .arrived: ">"
    }
  }
}

extension ByteBuffer {
  /// Appends text for people as a JSON string.
  fileprivate mutating func append(shown text: String) { append(string: text.printable) }
}
