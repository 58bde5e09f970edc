import ByteBuffers
import JSONBytes
import JSONRPC
import ListProtocol

/// The lists of a daemon, which any number of clients share, and the journal that records them.
///
/// It is a value that one thread uses; it has no descriptors, clocks or threads.
package struct SharedLists: ~Copyable {
  /// The number of unsent bytes above which notifications to a client are paused.
  package static let waitingLimit = 4 << 20

  var service: ListService

  /// The journal, to which changes are written before they are answered.
  var journal: JournalSink?

  /// The chain of the journal.
  package var journalChain = Journal.Chain()

  private let allowsFeeds: Bool

  /// The number of items that restoring the lists from the journal would visit.
  package internal(set) var journalWork = 0

  /// Creates no lists.
  package init(_ options: SessionOptions = SessionOptions()) {
    service = ListService(
      historyBytes: options.historyBytes, totalHistoryBytes: options.totalHistoryBytes)
    allowsFeeds = options.allowsFeeds
    service.selfCheck.isOn = options.checksAnswers
    service.store.isAlwaysSwept = options.checksAnswers
    service.store.recordsModifications = options.checksAnswers
  }

  /// Removes and returns the notifications for clients that have not caused them.
  package mutating func takeNotifications() -> [ListNotification] {
    defer { service.notifications = [] }
    return service.notifications
  }

  /// Removes and returns the notifications for a client.
  mutating func takeNotifications(of client: Int) -> [ListNotification] {
    guard service.notifications.contains(where: { $0.client != client }) else {
      return takeNotifications()
    }
    let own = service.notifications.filter { $0.client == client }
    service.notifications.removeAll { $0.client == client }
    return own
  }

  /// Lets clients ask for feeds, which `program` starts, unless the options forbid it.
  package mutating func allowFeeds(_ program: FeedProgram) {
    if allowsFeeds { service.feedProgram = program }
  }

  /// Returns the number of the next connection.
  package mutating func nextClient() -> Int { service.nextClient() }

  /// Records that there is a connection with a number.
  package mutating func note(client: Int) { service.lastClient = max(service.lastClient, client) }

  /// Removes and returns the numbers of the feeds that have ended.
  package mutating func takeEndedFeeds() -> [Int] { service.takeEndedFeeds() }

  /// Removes and returns the feeds whose expanded folders have changed.
  package mutating func takeExpansions() -> [(feed: Int, folders: Set<String>)] {
    service.takeExpansions()
  }

  /// Removes and returns what edits of folders have done in the last message, as messages of the
  /// connections of feeds.
  package mutating func takeFolderOutcomes() -> [(feed: Int, message: SharedBytes)] {
    service.takeFolderOutcomes()
  }

  /// Ends the subscriptions of a client that has left, and removes its temporary lists. One stays if the
  /// journal cannot be written.
  package mutating func remove(client: Int) {
    service.removeSubscriptions(of: client)
    for list in service.temporaryLists(of: client) {
      let count = service.notifications.count
      service.beginRequest()
      do throws(Failure) {
        try service.removeTemporary(list)
        try recordChange()
        service.commit()
      } catch {
        service.rollBack()
        service.notifications.removeSubrange(count...)
      }
    }
  }

  /// Pauses the notifications to a client that does not read. It was sent all of them so far.
  package mutating func pause(client: Int) { service.pause(client) }

  /// Ends a pause: makes one least change of each list for the client. Returns whether some are
  /// still paused because the changes take more than `limit` bytes.
  package mutating func resume(client: Int, limit: Int) -> Bool {
    service.resume(client, limit: limit)
  }

  /// Removes and returns the approximate number of bytes that requests have freed and the next ones
  /// may not need.
  package mutating func takeFreedMemory() -> Int {
    service.takeFreedMemory()
  }

  /// Reads and checks a message. The parameters of a single request are read in the same pass.
  mutating func read(
    _ message: SharedBytes, _ arrival: PartialMessage?, _ params: inout Params
  ) throws(JSONError) -> Message {
    try Message.read(message.bytes, arrival) { name, id, reader in
      let method = Method.table.find(name, in: reader)
      if method != .applySnapshot, let arrival { reader.extend(to: arrival.wait(message.count)) }
      guard let method else { return .refused }
      service.context.beginRequest(id: id)
      return service.read(&params, of: method, message, &reader, arrival)
    }
  }

  /// Performs the current request, appends its result, and records it in the journal.
  ///
  /// - Throws: the failure of the request. Nothing has changed then, and what was appended is
  ///   invalid.
  mutating func perform(
    _ method: Method, _ message: SharedBytes, _ range: Range<Int>?, _ params: inout Params,
    to out: inout ByteBuffer
  ) throws(Failure) {
    let count = service.notifications.count
    let start = out.count
    service.beginRequest()
    do throws(Failure) {
      try service.perform(method, message, range, &params, to: &out)
      if service.selfCheck.isOn {
        try service.checkAnswers(
          method, message, range, result: out, from: start, notificationsFrom: count)
      }
      try recordChange()
      service.commit()
    } catch {
      service.rollBack()
      service.notifications.removeSubrange(count...)
      throw error
    }
  }
}
