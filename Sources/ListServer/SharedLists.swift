import JSONBytes
import JSONRPC
import ListProtocol

/// The lists of a daemon, which any number of clients share, and the journal that they are kept in.
///
/// It is a value that one thread touches; it has no descriptors, clocks or threads.
package struct SharedLists: ~Copyable {
  /// How many bytes may wait for a client before the notifications to it are paused.
  package static let waitingLimit = 4 << 20

  var service: ListService

  /// Where changes are written before they are answered.
  var journal: JournalSink?

  /// What the next line of the journal follows.
  package var journalChain = Journal.Chain()

  /// How many items are gone through to restore the lists from the journal as it is.
  package internal(set) var journalWork = 0

  /// No lists.
  package init(_ options: SessionOptions = SessionOptions()) {
    service = ListService(
      historyBytes: options.historyBytes, totalHistoryBytes: options.totalHistoryBytes)
    service.selfCheck.isOn = options.checksAnswers
    service.store.keepsTouched = options.checksAnswers
  }

  /// Takes away the notifications that requests have caused, for clients that were not the cause.
  package mutating func takeNotifications() -> [ListNotification] {
    defer { service.notifications = [] }
    return service.notifications
  }

  /// Takes away the notifications for a client.
  mutating func takeNotifications(of client: Int) -> [ListNotification] {
    guard service.notifications.contains(where: { $0.client != client }) else {
      return takeNotifications()
    }
    let own = service.notifications.filter { $0.client == client }
    service.notifications.removeAll { $0.client == client }
    return own
  }

  /// Ends the subscriptions of a client that has left.
  package mutating func remove(client: Int) { service.removeSubscriptions(of: client) }

  /// Pauses the notifications to a client that does not read; it was sent all of them so far.
  package mutating func pause(client: Int) { service.pause(client) }

  /// Makes the notifications, one least change for each list, that a client is to be sent after a
  /// pause. Returns whether some stay paused because those take more than `limit` bytes.
  package mutating func resume(client: Int, limit: Int) -> Bool {
    service.resume(client, limit: limit)
  }

  /// Takes away about how many bytes requests have left free that the next ones may have no use for.
  package mutating func takeFreedMemory() -> Int {
    defer { service.freedMemory = 0 }
    return service.freedMemory
  }

  /// Reads a message in one pass where it is a single request with large parameters; nil where it is
  /// not, or anything is wrong with it.
  mutating func readAhead(
    _ message: SharedBytes, _ arrival: Arrival?,
    _ isCancelled: @escaping (UnsafeRawBufferPointer) -> Bool
  ) -> Message? {
    defer { service.isCancelled = { false } }
    return try? Message.read(message.bytes, arrival) { method, id, reader in
      service.isCancelled = {
        id.map { isCancelled(UnsafeRawBufferPointer(rebasing: message.bytes[$0])) } ?? false
      }
      return service.readAhead(method, message, &reader, arrival)
    }
  }

  /// Does what a request asks, appends its result, and writes what it has changed to the journal.
  ///
  /// - Throws: if nothing was done; what was appended is not to be kept.
  mutating func perform(
    _ method: Method, _ message: SharedBytes, _ params: Range<Int>?,
    id: UnsafeRawBufferPointer?, isCancelled: @escaping () -> Bool, to out: inout ByteBuffer
  ) throws(Failure) {
    service.isCancelled = isCancelled
    service.request = id.map { SharedBytes(copying: $0) }
    defer { service.isCancelled = { false } }
    let count = service.notifications.count
    let start = out.count
    service.keepBefore()
    do throws(Failure) {
      try service.perform(method, message, params, to: &out)
      if service.selfCheck.isOn {
        try service.checkAnswers(
          method, message, params, result: out, from: start, notificationsFrom: count)
      }
      try keepChange()
    } catch {
      service.undo()
      service.notifications.removeSubrange(count...)
      throw error
    }
  }
}
