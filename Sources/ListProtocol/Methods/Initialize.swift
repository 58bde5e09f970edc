import ByteBuffers
import FuzzyMatch
import JSONBytes

/// The parameters of `initialize`.
package struct Initialize {
  /// The process whose end ends the daemon.
  package var processID: Int?

  package var trace = Trace.off

  /// The unit of offsets in texts: the first of the client's preferences that listd supports.
  package var offsetUnit = OffsetUnit.utf16

  /// Reads the parameters. Unknown members are ignored.
  package init(_ message: SharedBytes, _ range: Range<Int>?) throws(Failure) {
    guard let range else { return }
    let params = Value(message: message, range: range, .params)
    guard params.kind != .null else { return }
    guard let members = params.members else { throw params.failure(expected: "an object") }
    for (name, value) in members where value.kind != .null {
      switch name {
      case "processId":
        guard let id = value.integer else {
          throw value.failure(expected: "an integer or null")
        }
        processID = id
      case "trace": trace = try value.requireChoice(of: Trace.self)
      case "capabilities": try readEncodings(value)
      case "protocolVersion":
        guard let version = value.integer else { throw value.failure(expected: "an integer") }
        guard version == Self.protocolVersion else {
          throw Self.missing(["protocolVersion \(version)"], value.pointer)
        }
      case "require":
        let names = try value.requireElements { name throws(Failure) in try name.requireText() }
        let missing = names.filter { !(Self.methods + Self.features).contains($0) }
        guard missing.isEmpty else { throw Self.missing(missing, value.pointer) }
      default: break
      }
    }
  }

  /// Reads `general.positionEncodings` of a client's capabilities.
  private mutating func readEncodings(_ capabilities: Value) throws(Failure) {
    guard let encodings = capabilities["general"]?["positionEncodings"], encodings.kind != .null
    else { return }
    for encoding in try encodings.requireElements() {
      let name = try encoding.requireText()
      guard let known = OffsetUnit.byName.first(where: { $0.key == name }) else { continue }
      offsetUnit = known.value
      return
    }
  }

  /// The methods that a client may call. It may require them, too.
  private static let methods = ["initialize", "shutdown"] + Method.ofClients.map(\.rawValue)

  /// The features that a client may require: the methods about lists, and what was added to them.
  private static let features =
    Method.ofClients.map(\.rawValue) + [
      "compose.view", "compose.view.match", "compose.view.tree", "locate.match",
      "snapshotRef.edits", "applySnapshot.latest", "compose.latest", "integers.anySpelling",
      "rpc.discover", "references.line", "templates.list", "templates.columns", "text.spans",
      "text.moves", "text.selectedLines", "text.window", "subscribe.sinceText", "key",
      "content.both", "members", "moves", "compose.temporary",
    ]

  /// The failure that the daemon lacks features that a client requires.
  private static func missing(_ names: [String], _ pointer: String) -> Failure {
    var failure = Failure.invalidParams(
      pointer, expected: "what this version of listd has",
      "\(pointer): this version of listd has no " + names.joined(separator: ", "))
    failure.add(["missing": .names(names.map { Array($0.utf8) })])
    return failure
  }

  /// The version of the protocol, which only incompatible changes increase.
  package static let protocolVersion = 1

  /// Appends the result of `initialize`.
  package static func appendResult(
    version: String, maxMessageBytes: Int, _ offsetUnit: OffsetUnit, to out: inout ByteBuffer
  ) {
    func append(_ name: StaticString, words: [String]) {
      out.append(list: name, words.count) { $1.append(string: words[$0]) }
    }
    out.append("{")
    out.append(member: "serverInfo")
    out.append("{")
    out.append(member: "name", string: "listd")
    out.append(member: "version", string: version)
    out.append("}")
    out.append(member: "protocolVersion", protocolVersion)
    out.append(member: "capabilities")
    out.append("{")
    append("methods", words: methods)
    append("formats", words: Format.allCases.map(\.rawValue))
    append("features", words: features)
    let encoding = OffsetUnit.byName.first { $0.value == offsetUnit }!.key
    out.append(member: "positionEncoding", string: encoding)
    out.append(member: "maxMessageBytes", maxMessageBytes)
    out.append("}}")
  }
}

/// The parameters of a request that has none.
package enum NoParams {
  /// - Throws: -32602 if there are any.
  package static func check(_ message: SharedBytes, _ range: Range<Int>?) throws(Failure) {
    try Params(message, range).check(known: [])
  }
}

/// How much a client wants to be sent about the daemon's work.
package enum Trace: String, CaseIterable, Sendable {
  case off
  case messages
  case verbose

  /// Reads the parameters of `$/setTrace`.
  package init(_ message: SharedBytes, _ range: Range<Int>?) throws(Failure) {
    let params = try Params(message, range)
    try params.check(known: [.value])
    self = try params.require(.value).requireChoice(of: Trace.self)
  }
}
