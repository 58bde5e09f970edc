import ByteBuffers
import FuzzyMatch

/// A temporary view of a daemon's list, which has the items that match a query.
final class ItemView {
  /// What the view shows.
  struct Definition: Equatable {
    /// The query.
    var text: String

    /// Whether the items are sorted by their scores.
    var isSorted: Bool
    var members: [String]

    /// The identifiers of items that the view does not have, as JSON.
    var excluded: [[UInt8]]
    var window: Range<Int>

    /// The item around which the window is, as JSON; nil if it is at its place.
    var anchor: [UInt8]?
  }

  let name: String
  private let source: String
  private let caseRule: CaseRule
  private let isExact: Bool
  private var definition: Definition?

  init(of source: String, _ options: PickOptions) {
    self.source = source
    caseRule = options.caseRule
    isExact = options.isExact
    // Clients of a daemon may be on different machines.
    name = "listd:pick:\(getpid()):\(UInt32.random(in: 0...(.max)))"
  }

  /// Records that the daemon does not have the view.
  func forget() { definition = nil }

  /// Asks the daemon to make the view what is defined, without waiting for the reply.
  func define(_ new: Definition, _ client: inout ListClient) throws(CommandProblem) {
    guard new != definition || new.anchor != nil else { return }
    definition = new
    let query = isExact ? Self.exact(new.text) : new.text
    _ = try client.send("compose") { params in
      params.append(list: name)
      params.append(",\"format\":\"none\",\"temporary\":true,\"sources\":[")
      params.append(string: source)
      params.append("],\"view\":{\"sections\":\"merge\",\"match\":{\"query\":")
      params.append(string: query)
      params.append(member: "case", string: caseRule.rawValue)
      params.append(list: "members", new.members.count) { $1.append(string: new.members[$0]) }
      params.append("}")
      if !new.isSorted || Query(query).isEmpty { params.append(",\"sort\":[]") }
      if !new.excluded.isEmpty {
        params.append(",\"where\":{\"not\":{\"member\":\"id\"")
        params.append(list: "in", new.excluded.count) { index, out in
          out.append(contentsOf: new.excluded[index])
        }
        params.append("}}")
      }
      params.append(",\"window\":{\"start\":")
      if let anchor = new.anchor {
        params.append("{\"item\":")
        params.append(contentsOf: anchor)
        params.append(member: "before", new.window.count / 2)
        params.append("}")
      } else {
        params.append(decimal: new.window.lowerBound)
      }
      params.append(member: "count", new.window.count)
      params.append("}}")
    }
  }

  /// The query that means without `--exact` what a text means with it: words that are not quoted are, and the
  /// other way round.
  private static func exact(_ text: String) -> String {
    var words: [String] = [""]
    for character in text {
      if character == " ", words.last?.last != "\\" {
        words.append("")
      } else {
        words[words.count - 1].append(character)
      }
    }
    return words.map { word in
      let body = word.count > 1 && word.hasSuffix("$") ? word.dropLast() : word[...]
      if body.isEmpty || word == "|" || body.hasPrefix("!") || body.hasPrefix("^") { return word }
      if body.hasPrefix("'") {
        let isWord = body.count > 2 && body.hasSuffix("'")
        return isWord ? word : String(word.dropFirst())
      }
      return body.count < word.count ? word : "'" + word
    }.joined(separator: " ")
  }
}
