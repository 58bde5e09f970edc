import ByteBuffers
import JSONBytes
import JSONRPC

/// The `$/cancelRequest` notifications in messages.
package enum Cancellation {
  /// Returns the raw ids of the requests that a message cancels. Cheap for every other message.
  package static func ids(in message: SharedBytes) -> [SharedBytes] {
    message.withBytes { bytes in
      // The first eight letters of the method's name.
      guard bytes.count < 1 << 16, Bytes.contains("cancelRe", in: bytes) else { return [] }
      var ids: [SharedBytes] = []
      try? Message.read(bytes).forEachEnvelope { envelope in
        guard case .notification = envelope.kind, let method = envelope.method,
          let params = envelope.params, JSONReader(bytes).matches(method, "$/cancelRequest")
        else { return }
        var reader = JSONReader(bytes, from: params.lowerBound)
        var found = MemberRanges()
        if (try? reader.object(seeking: idMember, into: &found)) != nil, let id = found[0] {
          ids.append(SharedBytes(copying: UnsafeRawBufferPointer(rebasing: bytes[id])))
        }
      }
      return ids
    }
  }

  /// Returns a form of a raw id that is equal for ids that are equal JSON values.
  package static func key(of id: UnsafeRawBufferPointer) -> [UInt8] {
    var canonical = JSONCanonical()
    var key = ByteBuffer()
    canonical.append(id, to: &key)
    return key.withUnsafeBytes { Array($0) }
  }

  /// Reports whether two raw ids are equal JSON values.
  package static func isSame(_ a: SharedBytes, _ b: UnsafeRawBufferPointer) -> Bool {
    // Comparing reads beyond the end; the bytes of a message allow that.
    a.withBytes { JSONEquality.equal($0, b) }
  }

  /// Reports whether a message is a cancellation and nothing else.
  package static func isAll(of message: SharedBytes) -> Bool {
    guard !ids(in: message).isEmpty else { return false }
    return message.withBytes { bytes in
      if case .single? = try? Message.read(bytes) { true } else { false }
    }
  }

  private static let idMember = MemberKeys("id")
}
