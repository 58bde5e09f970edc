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

  package var service: ListService

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

  /// Records that there is a connection with a number.
  package mutating func note(client: Int) { service.lastClient = max(service.lastClient, client) }

  /// Ends the subscriptions of a client that has left, and removes its temporary lists. One stays if the
  /// journal cannot be written.
  package mutating func remove(client: Int) {
    service.removeSubscriptions(of: client)
    for list in service.temporaryLists(of: client) {
      try? change { service, _ throws(Failure) in
        try service.remove(list)
        service.store.endRequest()
      }
    }
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
    try change { service, count throws(Failure) in
      let start = out.count
      try service.perform(method, message, range, &params, to: &out)
      guard service.selfCheck.isOn else { return }
      try service.checkAnswers(
        method, message, range, result: out, from: start, notificationsFrom: count)
    }
  }

  /// Makes a change, given the number of notifications before it, and records it in the journal.
  ///
  /// - Throws: the failure of either. Nothing has changed then.
  private mutating func change(
    _ make: (inout ListService, Int) throws(Failure) -> Void
  ) throws(Failure) {
    let count = service.notifications.count
    service.beginRequest()
    do throws(Failure) {
      try make(&service, count)
      try recordChange()
      service.commit()
    } catch {
      service.rollBack()
      service.notifications.removeSubrange(count...)
      throw error
    }
  }
}
