import ByteBuffers
import JSONBytes
import JSONRPC
import ListProtocol

/// A session of a client with lists that it does not share.
package struct Session: ~Copyable {
  package var lists: SharedLists
  package var client: ClientSession

  /// Creates a session before its first message.
  package init(_ options: SessionOptions = SessionOptions()) {
    lists = SharedLists(options)
    client = ClientSession(options)
    lists.note(client: client.number)
  }

  /// The replies and notifications to be sent.
  package var outbox: Outbox {
    _read { yield client.outbox }
    _modify { yield &client.outbox }
  }

  /// The exit code, once the session has ended.
  package var exitCode: Int? { client.exitCode }

  /// Processes a frame like ``ClientSession``.
  package mutating func receive(
    _ frame: Frame, isLast: Bool = false, arrival: PartialMessage? = nil,
    isCancelled: @escaping (UnsafeRawBufferPointer) -> Bool = { _ in false },
    sendNow: @escaping (UnsafeRawBufferPointer) -> Void = { _ in }
  ) {
    client.receive(
      frame, on: &lists, isLast: isLast, arrival: arrival, isCancelled: isCancelled,
      sendNow: sendNow)
  }
}
