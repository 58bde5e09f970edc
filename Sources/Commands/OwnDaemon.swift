import ByteBuffers
import ListCompare

/// What commands need of the daemon in this program.
///
/// The module does not import the daemon, so that it is compiled at the same time.
package struct OwnDaemon: Sendable {
  /// A function that returns the answer to a request.
  package typealias Answering = (_ request: SharedBytes) -> SharedBytes

  /// The version of listd and that of the protocol.
  let version: String
  let protocolVersion: Int

  /// The names of the formats of changes.
  let formats: [String]

  /// Begins a session with lists of its own. Returns what answers its requests.
  let openSession: @Sendable () -> Answering

  /// Compares two snapshots as lists of a daemon.
  let compare: SnapshotComparing

  package init(
    version: String, protocolVersion: Int, formats: [String],
    openSession: @escaping @Sendable () -> Answering, compare: @escaping SnapshotComparing
  ) {
    self.version = version
    self.protocolVersion = protocolVersion
    self.formats = formats
    self.openSession = openSession
    self.compare = compare
  }

  /// Returns the daemon. The program sets it before it reads the command line.
  nonisolated(unsafe) package static var make: @Sendable () -> OwnDaemon = {
    preconditionFailure("a program without a daemon")
  }

  /// The daemon, which is made when a command first needs it.
  package static let shared = make()

  /// The version of listd and that of the protocol, for people.
  package var title: String { "listd \(version) (protocol \(protocolVersion))" }
}

extension Comparison {
  /// Compares two files. Snapshots are compared as the daemon compares them.
  ///
  /// - Throws: If a file is not of the kind that the options name, or violates a rule of snapshots.
  package init(
    _ old: ComparedFile, _ new: ComparedFile, _ options: ComparisonOptions
  ) throws(ComparisonFailure) {
    try self.init(old, new, options, by: OwnDaemon.shared.compare)
  }
}
