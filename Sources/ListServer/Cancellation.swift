import JSONBytes
import JSONRPC

/// The `$/cancelRequest` notifications that a message holds.
package enum Cancellation {
  /// The raw ids of the requests that a message cancels; cheap for every other message.
  package static func ids(in message: SharedBytes) -> [SharedBytes] {
    guard message.count < 1 << 16, mentionsCancelling(message) else { return [] }
    return message.withBytes { bytes in
      var ids: [SharedBytes] = []
      func note(_ envelope: Envelope) {
        guard case .notification = envelope.kind, let method = envelope.method,
          let params = envelope.params, JSONReader(bytes).matches(method, "$/cancelRequest")
        else { return }
        var reader = JSONReader(bytes, from: params.lowerBound)
        var found = FoundMembers()
        if (try? reader.object(seeking: idMember, into: &found)) != nil, let id = found[0] {
          ids.append(SharedBytes(copying: UnsafeRawBufferPointer(rebasing: bytes[id])))
        }
      }
      switch try? Message.read(bytes) {
      case .single(let envelope): note(envelope)
      case .batch(let batch): for envelope in batch { note(envelope) }
      default: break
      }
      return ids
    }
  }

  /// The form of a raw id that is the same for all ids that are the same JSON value.
  package static func key(of id: UnsafeRawBufferPointer) -> [UInt8] {
    var canonical = JSONCanonical()
    var key = ByteBuffer()
    canonical.append(id, to: &key)
    return key.withUnsafeBytes { Array($0) }
  }

  /// Whether two raw ids are the same JSON value.
  package static func isSame(_ a: SharedBytes, _ b: UnsafeRawBufferPointer) -> Bool {
    // Ids in a message have the readable bytes behind them that comparing needs.
    a.withBytes { JSONEquality.equal($0, b) }
  }

  /// Whether a message is a cancellation and nothing else.
  package static func isAll(of message: SharedBytes) -> Bool {
    guard !ids(in: message).isEmpty else { return false }
    return message.withBytes { bytes in
      if case .single? = try? Message.read(bytes) { true } else { false }
    }
  }

  private static let idMember = SoughtMembers("id")

  private static func mentionsCancelling(_ message: SharedBytes) -> Bool {
    let name = "cancelRequest"
    return message.withBytes { bytes in
      var from = 0
      while let place = Bytes.firstIndex(of: 0x63, in: bytes, from: from) {
        if bytes[place...].prefix(name.utf8.count).elementsEqual(name.utf8) { return true }
        from = place + 1
      }
      return false
    }
  }
}
