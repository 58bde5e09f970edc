import ByteBuffers
import Commands
import JSONBytes
import ListCompare
import ListProtocol
import ListServer

extension OwnDaemon {
  /// The daemon of this program.
  static var listd: OwnDaemon {
    OwnDaemon(
      version: ClientSession.version, protocolVersion: Initialize.protocolVersion,
      formats: Format.allCases.map { $0.rawValue },
      openSession: {
        let session = PrivateSession()
        return { session.answer($0) }
      },
      compare: { old, new throws(ComparisonFailure) in
        let pair = try SnapshotPair(old, new)
        return SnapshotComparison { format throws(ComparisonFailure) in try pair.answer(format) }
      })
  }
}

/// A session with lists of its own.
private final class PrivateSession {
  private var lists = SharedLists()
  private var session = ClientSession()

  /// Returns the answer to a request.
  func answer(_ request: SharedBytes) -> SharedBytes {
    session.receive(.message(request), on: &lists)
    defer { session.outbox.removeAll() }
    return session.outbox.withUnsafeBytes { SharedBytes(copying: $0) }
  }
}
