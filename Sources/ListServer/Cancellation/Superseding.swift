import ByteBuffers
import JSONBytes
import JSONRPC

/// The requests that later ones for the same method and list supersede.
package enum Superseding {
  /// A request with `latest: true`.
  package struct Request: Sendable {
    /// The method and list, which it has in common with the requests that supersede it.
    package let subject: [UInt8]

    /// The raw id.
    package let id: SharedBytes
  }

  /// The number of bytes at each end of a message that are searched.
  private static let searchedBytes = 1 << 16

  private static let methods: [StaticString] = ["applySnapshot", "compose"]
  private static let members = MemberKeys("list", "latest")
  private enum Member: Int { case list, latest }

  /// Returns the requests with `latest: true` in a message, in order.
  ///
  /// In a large message, the member is searched at both ends only: between them are items or
  /// sections, and searching them takes longer than comparing them.
  ///
  /// - Complexity: O(1) if the ends of the message do not have the word; otherwise O(*n*), where
  ///   *n* is the number of bytes of the message.
  package static func requests(in message: SharedBytes) -> [Request] {
    message.withBytes { bytes in
      guard
        bytes.count <= searchedBytes
          ? mayHaveLatest(bytes)
          : mayHaveLatest(.init(rebasing: bytes.prefix(searchedBytes)))
            || mayHaveLatest(.init(rebasing: bytes.suffix(searchedBytes)))
      else { return [] }
      var requests: [Request] = []
      try? Message.read(bytes).forEachEnvelope { envelope in
        if let request = request(envelope, bytes) { requests.append(request) }
      }
      return requests
    }
  }

  private static func mayHaveLatest(_ bytes: UnsafeRawBufferPointer) -> Bool {
    // Without the first quotation mark, which many words with the same first letter have.
    Bytes.contains("latest\"", in: bytes)
  }

  private static func request(
    _ envelope: Envelope, _ bytes: UnsafeRawBufferPointer
  ) -> Request? {
    guard case .request = envelope.kind, let id = envelope.id, let name = envelope.method,
      let method = methods.firstIndex(where: { JSONReader(bytes).matches(name, $0) }),
      let params = envelope.params
    else { return nil }
    var reader = JSONReader(bytes, from: params.lowerBound)
    var found = MemberRanges()
    guard (try? reader.object(seeking: members, into: &found)) != nil,
      let list = found[Member.list], bytes[list.lowerBound] == 0x22,
      let latest = found[Member.latest], bytes[latest.lowerBound] == 0x74
    else { return nil }
    var subject = [UInt8(truncatingIfNeeded: method)]
    var inside = reader.moved(to: list.lowerBound, depth: 0)
    guard let string = try? inside.string() else { return nil }
    inside.decode(string, into: &subject)
    return Request(
      subject: subject,
      id: SharedBytes(copying: UnsafeRawBufferPointer(rebasing: bytes[id])))
  }
}
