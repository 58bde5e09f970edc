import ByteBuffers
import JSONRPC
import ListProtocol

/// The messages of a recorded session, each with its replies and the lists that it changed.
package struct RecordedStory {
  /// A message of the client and its effects.
  package struct Turn {
    /// The time of the message, in milliseconds since the start of the session.
    package var at: Int

    /// The time of the last answer, if the record has it.
    package var answeredAt: Int?
    package var message: SharedBytes?
    package var method = ""
    package var list: String?

    /// The raw id of the request; `nil` for a notification.
    package var id: String?
    package var answers: [SharedBytes] = []

    /// The code and the message of the first error among the answers.
    package var failure: (code: Int, message: String)?
    package var changes: [Change] = []
  }

  /// A list before and after a change.
  package struct Change {
    package var list: String
    package var oldRevision: Int
    package var newRevision: Int

    /// The snapshots of the list, such as `{"sections":[…]}`.
    package var old: SharedBytes
    package var new: SharedBytes
  }

  package private(set) var turns: [Turn] = []

  /// The first difference between the answers and those of the record.
  package let difference: Replay.Difference?

  /// The number of answers.
  package let answers: Int

  /// Runs a session again and compares its lists after each message.
  ///
  /// - Complexity: O(*n*) for each message, where *n* is the number of bytes of the lists that it
  ///   changed.
  ///
  /// - Throws: if the lists that the session began with cannot be restored.
  package init(
    _ recorded: RecordedSession, _ options: SessionOptions
  ) throws(RecordedSession.Problem) {
    var turns: [Turn] = []
    var lists: [String: (revision: Int, content: SharedBytes)] = [:]
    var isFirst = recorded.journal != nil
    let times = Self.answerTimes(recorded)
    let replay = try Replay(recorded, options) { shared, entry, answers in
      var turn = Turn(at: entry.at, answeredAt: times[entry.line])
      turn.answers = answers
      if case .client(.message(let message), _) = entry.event { turn.read(message) }
      for answer in answers where turn.failure == nil { turn.failure = Self.failure(in: answer) }
      turn.changes = Self.changes(of: &lists, in: shared)
      // The lists of a journal existed before the first message.
      if isFirst { turn.changes.removeAll { $0.oldRevision == 0 && $0.newRevision > 1 } }
      isFirst = false
      turns.append(turn)
    }
    self.turns = turns
    difference = replay.difference
    answers = replay.answers
  }

  /// Returns the time of the last answer to each message of a client, by the message's line.
  private static func answerTimes(_ recorded: RecordedSession) -> [Int: Int] {
    var times: [Int: Int] = [:]
    var line: Int?
    for entry in recorded.entries {
      switch entry.event {
      case .client, .connection: line = entry.line
      case .server: if let line { times[line] = entry.at }
      }
    }
    return times
  }

  private static func failure(in answer: SharedBytes) -> (code: Int, message: String)? {
    let error = Value(answer)["error"]
    guard let code = error?["code"], let message = error?["message"] else { return nil }
    return (code.integer ?? 0, message.text ?? "")
  }
}

extension RecordedStory.Turn {
  /// Reads the method, id and list of a message, unless it is a batch or invalid.
  fileprivate mutating func read(_ message: SharedBytes) {
    self.message = message
    guard (try? message.withBytes({ try Message.read($0) })) != nil else { return }
    let value = Value(message)
    method = value["method"]?.text ?? ""
    id = value["id"].map { String(decoding: $0.bytes, as: UTF8.self) }
    list = value["params"]?["list"]?.text
  }
}

extension RecordedStory {
  private static let empty = SharedBytes(copying: "{\"sections\":[]}".utf8)

  /// Returns the lists whose revision has changed, and updates `lists`.
  private static func changes(
    of lists: inout [String: (revision: Int, content: SharedBytes)],
    in shared: borrowing SharedLists
  ) -> [Change] {
    var changes: [Change] = []
    let now = shared.service.revisions.map { name, revision in
      (list: String(decoding: name, as: UTF8.self), name: name, revision: revision)
    }
    for (list, name, revision) in now where lists[list]?.revision != revision {
      let content = shared.service.content(of: name)
      let before = lists[list] ?? (0, empty)
      changes.append(
        Change(
          list: list, oldRevision: before.revision, newRevision: revision, old: before.content,
          new: content))
      lists[list] = (revision, content)
    }
    for list in lists.keys.sorted() where !now.contains(where: { $0.list == list }) {
      let before = lists.removeValue(forKey: list)!
      changes.append(
        Change(
          list: list, oldRevision: before.revision, newRevision: 0, old: before.content, new: empty)
      )
    }
    return changes
  }
}
