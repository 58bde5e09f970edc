import JSONBytes
import JSONRPC

/// However the bytes are cut, the frames are the same.
enum FrameTarget {
  static func run(_ bytes: UnsafeRawBufferPointer) {
    let limit = bytes.first.map { Int($0) * 4 } ?? 0
    let stream = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(1))
    let whole = frames(of: stream, limit: limit) { _ in stream.count }
    let single = frames(of: stream, limit: limit) { _ in 1 }
    let cut = frames(of: stream, limit: limit) { 1 + Int(stream[$0]) % 37 }
    precondition(whole == single && whole == cut, "frames that depend on how they are cut")
  }

  private static func frames(
    of bytes: UnsafeRawBufferPointer, limit: Int, next: (Int) -> Int
  ) -> [[UInt8]] {
    var reader = FrameReader(limit: limit)
    var told: [[UInt8]] = []
    func note(_ frame: Frame) {
      switch frame {
      case .message(let message): told.append(Array("message ".utf8) + message.bytes)
      case .tooLarge(let bytes): told.append(Array("too large \(bytes)".utf8))
      case .broken(let problem, _): told.append(Array("broken \(problem)".utf8))
      case .unterminated: told.append(Array("unterminated".utf8))
      }
    }
    var place = 0
    while place < bytes.count {
      let count = min(max(1, next(place)), bytes.count - place)
      reader.feed(UnsafeRawBufferPointer(rebasing: bytes[place..<place + count]))
      while let frame = reader.next() { note(frame) }
      place += count
    }
    while let frame = reader.finish() { note(frame) }
    return told
  }
}
