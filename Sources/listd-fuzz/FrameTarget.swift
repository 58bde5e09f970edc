import JSONBytes
import JSONRPC

/// The frames of a stream must not depend on how it is split into reads.
enum FrameTarget {
  static func run(_ bytes: UnsafeRawBufferPointer) {
    let limit = bytes.first.map { Int($0) * 4 } ?? 0
    let stream = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(1))
    let whole = frames(of: stream, limit: limit) { _ in stream.count }
    let single = frames(of: stream, limit: limit) { _ in 1 }
    let cut = frames(of: stream, limit: limit) { 1 + Int(stream[$0]) % 37 }
    precondition(whole == single && whole == cut, "the frames depend on how the stream is split")
  }

  private static func frames(
    of bytes: UnsafeRawBufferPointer, limit: Int, next: (Int) -> Int
  ) -> [[UInt8]] {
    var reader = FrameReader(limit: limit)
    var result: [[UInt8]] = []
    func append(_ frame: Frame) {
      switch frame {
      case .message(let message): result.append(Array("message ".utf8) + message.bytes)
      case .tooLarge(let bytes): result.append(Array("too large \(bytes)".utf8))
      case .broken(let problem, _): result.append(Array("broken \(problem)".utf8))
      case .unterminated: result.append(Array("unterminated".utf8))
      }
    }
    var offset = 0
    while offset < bytes.count {
      let count = min(max(1, next(offset)), bytes.count - offset)
      reader.feed(UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count]))
      while let frame = reader.next() { append(frame) }
      offset += count
    }
    while let frame = reader.finish() { append(frame) }
    return result
  }
}
