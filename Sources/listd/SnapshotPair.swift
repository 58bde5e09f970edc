import ByteBuffers
import Commands
import JSONBytes
import ListCompare
import ListProtocol

/// Two snapshots as lists of a `ListService`, which checks their rules and formats their changes.
final class SnapshotPair {
  private var service = ListService(historyBytes: 0)

  /// Stores both snapshots.
  ///
  /// - Throws: If one violates a rule of snapshots.
  init(_ old: SnapshotFile, _ new: SnapshotFile) throws(ComparisonFailure) {
    service.takesOutlineRows = true
    try load(old, "old")
    try load(new, "new")
  }

  private func load(
    _ snapshot: SnapshotFile, _ list: StaticString
  ) throws(ComparisonFailure) {
    var message = ByteBuffer(capacity: snapshot.value.count + 64)
    message.append("{\"list\":\"")
    message.append(list)
    message.append(
      snapshot.hasSections
        ? "\",\"format\":\"none\",\"sections\":" : "\",\"format\":\"none\",\"items\":")
    snapshot.file.content.withBytes {
      message.append(UnsafeRawBufferPointer(rebasing: $0[snapshot.value]))
    }
    message.append("}")
    do throws(Failure) { _ = try perform(.applySnapshot, message) } catch {
      throw ComparisonFailure("\(snapshot.file.name): \(error.message.removing("/params"))")
    }
  }

  private func perform(
    _ method: Method, _ message: consuming ByteBuffer
  ) throws(Failure) -> SharedBytes {
    let message = message.shared()
    var result = ByteBuffer()
    try service.perform(method, message, 0..<message.count, to: &result)
    return result.shared()
  }

  /// Returns an object with the change in a format.
  ///
  /// - Throws: If there are too many rows or identifiers.
  func answer(_ format: String) throws(ComparisonFailure) -> SharedBytes {
    var message = ByteBuffer()
    message.append("{\"from\":{\"list\":\"old\"},\"to\":{\"list\":\"new\"},\"format\":\"")
    message.append(contentsOf: format.utf8)
    message.append("\",\"content\":true}")
    do throws(Failure) { return try perform(.diff, message) } catch {
      throw ComparisonFailure(error.message)
    }
  }
}
