import JSONBytes
import JSONRPC
import ListProtocol

/// A session with lists of its own: a client and the lists that nobody else uses.
package struct Session: ~Copyable {
  package var lists: SharedLists
  package var client: ClientSession

  /// A session that nobody has spoken in yet.
  package init(_ options: SessionOptions = SessionOptions()) {
    lists = SharedLists(options)
    client = ClientSession(options)
  }

  /// The replies and notifications that are to be sent.
  package var outbox: Outbox {
    _read { yield client.outbox }
    _modify { yield &client.outbox }
  }

  /// The code to exit with, once the session has ended.
  package var exitCode: Int? { client.exitCode }

  /// Takes a frame as ``ClientSession`` does.
  package mutating func receive(
    _ frame: Frame, isLast: Bool = false, arrival: Arrival? = nil,
    isCancelled: @escaping (UnsafeRawBufferPointer) -> Bool = { _ in false },
    sendNow: @escaping (UnsafeRawBufferPointer) -> Void = { _ in }
  ) {
    client.receive(
      frame, on: &lists, isLast: isLast, arrival: arrival, isCancelled: isCancelled,
      sendNow: sendNow)
  }
}
