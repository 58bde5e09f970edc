import ByteBuffers
import JSONBytes
import JSONRPC

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
      turn.changes = Self.changes(of: &lists, in: &shared)
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

  private static let errorMembers = MemberKeys("error")
  private static let failureMembers = MemberKeys("code", "message")
  private enum FailureMember: Int { case code, message }

  private static func failure(in answer: SharedBytes) -> (code: Int, message: String)? {
    answer.withBytes { bytes in
      guard let error = member(errorMembers, of: 0..<bytes.count, in: bytes)[0] else { return nil }
      let found = member(failureMembers, of: error, in: bytes)
      guard let code = found[FailureMember.code], let message = found[FailureMember.message] else {
        return nil
      }
      return (JSONNumber(JSONReader(bytes), code).integer ?? 0, string(message, in: bytes) ?? "")
    }
  }

  /// Returns the ranges of members of an object, none if the value is not an object.
  fileprivate static func member(
    _ sought: MemberKeys, of range: Range<Int>, in bytes: UnsafeRawBufferPointer
  ) -> MemberRanges {
    var reader = JSONReader(bytes, from: range.lowerBound)
    var found = MemberRanges()
    do throws(JSONError) { _ = try reader.object(seeking: sought, into: &found) } catch {
      return MemberRanges()
    }
    return found
  }

  fileprivate static func string(_ range: Range<Int>, in bytes: UnsafeRawBufferPointer) -> String? {
    var reader = JSONReader(bytes, from: range.lowerBound, depth: 1)
    guard let string = try? reader.string() else { return nil }
    var decoded: [UInt8] = []
    reader.decode(string, into: &decoded)
    return String(decoding: decoded, as: UTF8.self)
  }
}

extension RecordedStory.Turn {
  private static let members = MemberKeys("method", "id", "params")
  private enum Member: Int { case method, id, params }
  private static let listMember = MemberKeys("list")

  /// Reads the method, id and list of a message, unless it is a batch or invalid.
  fileprivate mutating func read(_ message: SharedBytes) {
    self.message = message
    message.withBytes { bytes in
      guard (try? Message.read(bytes)) != nil, bytes.first(where: { $0 > 0x20 }) == 0x7B else {
        return
      }
      let found = RecordedStory.member(Self.members, of: 0..<bytes.count, in: bytes)
      method = found[Member.method].flatMap { RecordedStory.string($0, in: bytes) } ?? ""
      id = found[Member.id].map { String(decoding: bytes[$0], as: UTF8.self) }
      guard let params = found[Member.params], bytes[params.lowerBound] == 0x7B else { return }
      list = RecordedStory.member(Self.listMember, of: params, in: bytes)[0]
        .flatMap { RecordedStory.string($0, in: bytes) }
    }
  }
}

extension RecordedStory {
  private static let resultMember = MemberKeys("result")
  private static let resultMembers = MemberKeys("lists", "sections")
  private enum ResultMember: Int { case lists, sections }
  private static let listMembers = MemberKeys("list", "revision")
  private enum ListMember: Int { case list, revision }
  private static let empty = SharedBytes(copying: "{\"sections\":[]}".utf8)

  /// Returns the lists whose revision has changed, and updates `lists`.
  private static func changes(
    of lists: inout [String: (revision: Int, content: SharedBytes)], in shared: inout SharedLists
  ) -> [Change] {
    guard let now = revisions(in: &shared) else { return [] }
    var changes: [Change] = []
    for (list, revision) in now where lists[list]?.revision != revision {
      guard let content = content(of: list, in: &shared) else { continue }
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

  private static func revisions(in shared: inout SharedLists) -> [(list: String, revision: Int)]? {
    ask("getLists", "{}", in: &shared) { range, bytes in
      guard let lists = member(resultMembers, of: range, in: bytes)[ResultMember.lists] else {
        return nil
      }
      var reader = JSONReader(bytes, from: lists.lowerBound, depth: 2)
      var revisions: [(String, Int)] = []
      do throws(JSONError) {
        try reader.openArray()
        var found = MemberRanges()
        while try reader.nextElement() {
          _ = try reader.object(seeking: listMembers, into: &found)
          guard let list = found[ListMember.list].flatMap({ string($0, in: bytes) }),
            let revision = found[ListMember.revision].flatMap({ JSONNumber(reader, $0).integer })
          else { return nil }
          revisions.append((list, revision))
        }
      } catch { return nil }
      return revisions
    }
  }

  private static func content(of list: String, in shared: inout SharedLists) -> SharedBytes? {
    var params = ByteBuffer()
    params.append("{\"list\":")
    params.append(string: list)
    params.append("}")
    let text = params.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    return ask("getSnapshot", text, in: &shared) { range, bytes in
      guard let sections = member(resultMembers, of: range, in: bytes)[ResultMember.sections] else {
        return nil
      }
      var content = ByteBuffer()
      content.append("{\"sections\":")
      content.append(UnsafeRawBufferPointer(rebasing: bytes[sections]))
      content.append("}")
      return content.shared()
    }
  }

  /// Calls a method that changes nothing. Returns `nil` if there is no result.
  private static func ask<R>(
    _ method: String, _ params: String, in shared: inout SharedLists,
    _ read: (Range<Int>, UnsafeRawBufferPointer) -> R?
  ) -> R? {
    let question = "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"\(method)\",\"params\":\(params)}"
    var session = ClientSession(number: 0)
    session.receive(.message(SharedBytes(copying: question.utf8)), on: &shared)
    return session.outbox.withUnsafeBytes { bytes in
      for range in SentMessages(bytes, .ndjson) {
        let answer = SharedBytes(copying: UnsafeRawBufferPointer(rebasing: bytes[range]))
        let result: R? = answer.withBytes { bytes in
          member(resultMember, of: 0..<bytes.count, in: bytes)[0].flatMap { read($0, bytes) }
        }
        if let result { return result }
      }
      return nil
    }
  }
}
