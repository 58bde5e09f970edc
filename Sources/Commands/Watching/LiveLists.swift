import ByteBuffers
import JSONBytes
import JSONRPC

/// The lists behind a live table, in this process: all readings as the revisions of one list, the one
/// of them that is shown, and a view of that.
struct LiveLists: ~Copyable {
  private let answer = OwnDaemon.shared.openSession()

  /// Why a request was refused.
  struct Refusal: Error {
    var words: String
  }

  /// What the view shows of the rows.
  struct Definition: Equatable {
    var query = ""

    /// The members in which the query is searched.
    var members: [String] = []
    var sortedBy: String?
    var isDescending = false
    var groupedBy: String?

    /// Whether the sections of the rows remain.
    var keepsSections = false
  }

  init() {
    do throws(Refusal) { _ = try call("initialize") { $0.append("\"protocolVersion\":1") } } catch {
      preconditionFailure("initialize was refused: \(error.words)")
    }
  }

  /// Sends a request. Returns its result.
  private mutating func call(
    _ method: StaticString, _ params: (inout ByteBuffer) -> Void
  ) throws(Refusal) -> MessagePart {
    var body = ByteBuffer()
    body.append("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"")
    body.append(method)
    body.append("\",\"params\":{")
    params(&body)
    body.append("}}")
    let reply = answer(body.shared())
    guard case .single(let envelope)? = try? Message.read(reply.bytes) else {
      throw Refusal(words: "no answer")
    }
    if let result = envelope.result { return MessagePart(reply, result) }
    let words = envelope.error.flatMap { MessagePart(reply, $0).text("message") }
    throw Refusal(words: words ?? "no answer")
  }

  /// Records rows, given as an object with `items` or `sections`. Returns the revision.
  mutating func record(_ content: SharedBytes) throws(Refusal) -> Int {
    let whole = MessagePart(content, 0..<content.count)
    let reply = try call("applySnapshot") { params in
      params.append("\"list\":\"recorded\",\"format\":\"none\",\"sections\":[")
      if let items = whole["items"] {
        params.append("{\"id\":\"main\",\"items\":")
        items.append(to: &params)
        params.append(",\"selectionMode\":\"multiple\"}")
      }
      for (index, section) in (whole["sections"]?.elements ?? []).enumerated() {
        if index > 0 { params.append(",") }
        // The last of members with the same name counts.
        section.appendObject(to: &params) { $0.append(member: "selectionMode", string: "multiple") }
      }
      params.append("]")
    }
    return reply.integer("revision") ?? 0
  }

  /// Makes a recorded revision the one that is shown.
  mutating func choose(_ revision: Int) throws(Refusal) {
    _ = try call("applySnapshot") {
      $0.append("\"list\":\"rows\",\"format\":\"none\",\"snapshot\":{\"list\":\"recorded\"")
      $0.append(member: "revision", revision)
      $0.append("}")
    }
  }

  /// Defines the view.
  mutating func define(_ definition: Definition) throws(Refusal) {
    _ = try call("compose") { params in
      params.append("\"list\":\"shown\",\"format\":\"none\",\"sources\":[\"rows\"],\"view\":{")
      params.append("\"selection\":\"source\",\"sort\":[")
      if let member = definition.sortedBy {
        params.append("{\"by\":")
        params.append(string: member)
        params.append(",\"as\":\"natural\"")
        if definition.isDescending { params.append(",\"order\":\"descending\"") }
        params.append("}")
      }
      params.append("],\"sections\":")
      if let member = definition.groupedBy {
        params.append("{\"by\":")
        params.append(string: member)
        params.append("}")
      } else {
        params.append(definition.keepsSections ? "\"keep\"" : "\"merge\"")
      }
      if !definition.query.isEmpty {
        params.append(",\"match\":{\"query\":")
        params.append(string: definition.query)
        params.append(",\"members\":[")
        for (index, member) in definition.members.enumerated() {
          if index > 0 { params.append(",") }
          params.append(string: member)
        }
        params.append("]}")
      }
      params.append("}")
    }
  }

  /// The revision of the view and its sizes.
  struct Summary {
    var revision = 0
    var sections = 0
    var sourceSections = 0
    var rows = 0
    var selected = 0
    var total = 0
  }

  mutating func summary() throws(Refusal) -> Summary {
    let reply = try call("getLists") { _ in }
    var summary = Summary()
    for list in reply["lists"]?.elements ?? [] {
      switch list.text("list") {
      case "shown":
        summary.revision = list.integer("revision") ?? 0
        summary.sections = list.integer("sections") ?? 0
        summary.rows = list.integer("rows") ?? 0
      case "rows":
        summary.sourceSections = list.integer("sections") ?? 0
        summary.selected = list.integer("selected") ?? 0
        summary.total = list.integer("rows") ?? 0
      default: break
      }
    }
    return summary
  }

  /// The whole view.
  mutating func snapshot() throws(Refusal) -> MessagePart {
    try call("getSnapshot") { $0.append("\"list\":\"shown\"") }
  }

  /// Rows of the view, with the selection and the cursor of all of it.
  mutating func window(_ rows: Range<Int>) throws(Refusal) -> MessagePart {
    try call("getSnapshot") {
      $0.append("\"list\":\"shown\",\"window\":{\"start\":")
      $0.append(decimal: rows.lowerBound)
      $0.append(member: "count", rows.count)
      $0.append("}")
    }
  }

  /// The change from one revision of the view to another, with content.
  mutating func change(from old: Int, to new: Int, most: Int) throws(Refusal) -> MessagePart {
    try call("diff") { params in
      for (name, revision) in [("from" as StaticString, old), ("to", new)] {
        params.append(member: name)
        params.append("{\"list\":\"shown\"")
        params.append(member: "revision", revision)
        params.append("}")
      }
      params.append(member: "content", true)
      params.append(member: "maxOps", most)
    }
  }

  /// Moves the cursor to a row of the view; nil removes it.
  mutating func setCursor(_ path: (section: Int, row: Int)?) throws(Refusal) {
    _ = try call("select") { params in
      params.append("\"list\":\"shown\",\"format\":\"none\",\"cursor\":")
      if let path { params.append(path: path) } else { params.append("null") }
    }
  }

  /// Selects the item of a row of the view, or deselects it.
  mutating func toggle(_ path: (section: Int, row: Int)) throws(Refusal) {
    _ = try call("select") { params in
      params.append("\"list\":\"shown\",\"format\":\"none\",\"items\":[")
      params.append(path: path)
      params.append("]")
    }
  }
}

extension ByteBuffer {
  /// Appends a reference to the item of a row.
  fileprivate mutating func append(path: (section: Int, row: Int)) {
    append("{\"path\":[")
    append(decimal: path.section)
    append(",")
    append(decimal: path.row)
    append("]}")
  }
}
