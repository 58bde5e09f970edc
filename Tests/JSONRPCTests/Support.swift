import ByteBuffers
import JSONRPC

/// A generator of the same random numbers in every run.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  /// Steele, Lea and Flood: SplitMix64.
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}

/// Summarizes a frame: `=` and a message, `>` and the length of an oversized one, `!` and an
/// invalid header.
func summary(_ frame: Frame) -> String {
  func text(_ bytes: SharedBytes) -> String {
    bytes.withBytes { String(decoding: $0, as: UTF8.self) }
  }
  return switch frame {
  case .message(let bytes): "=" + text(bytes)
  case .tooLarge(let bytes): ">\(bytes)"
  case .broken(let problem, let raw): "!\(problem) \(text(raw))"
  case .unterminated: "…"
  }
}

/// Returns the frames of a stream in the given pieces, which are alternately fed and read into the
/// tail. If `early` is true, partial messages are returned early.
func frames(
  _ pieces: some Sequence<ArraySlice<UInt8>>, framing: Framing = .auto,
  limit: Int = FrameReader.defaultLimit, early: Bool = false
) -> [String] {
  var reader = FrameReader(framing: framing, limit: limit)
  var summaries: [String] = []
  var isFed = false
  var partial: SharedBytes?
  for piece in pieces {
    isFed.toggle()
    if isFed {
      piece.withUnsafeBytes { reader.feed($0) }
    } else {
      var rest = piece
      repeat {
        rest = rest.dropFirst(
          reader.withTail(minimum: rest.count) { tail in
            tail.copyBytes(from: rest.prefix(tail.count))
            return min(tail.count, rest.count)
          })
      } while !rest.isEmpty
    }
    if let message = partial, reader.arrived == message.count {
      summaries.append(summary(.message(message)))
      partial = nil
    }
    while let frame = reader.next() { summaries.append(summary(frame)) }
    if early, partial == nil { partial = reader.beginPartialMessage(minimum: 1) }
  }
  while let frame = reader.finish() { summaries.append(summary(frame)) }
  return summaries
}

/// Returns the frames of a stream. They must be the same for all splits into pieces, and if partial
/// messages are returned early.
func frames(
  _ text: String, framing: Framing = .auto, limit: Int = FrameReader.defaultLimit
) -> [String] {
  let bytes = Array(text.utf8)
  let whole = frames([bytes[...]], framing: framing, limit: limit)
  func check(_ pieces: [ArraySlice<UInt8>]) {
    for early in [false, true] {
      let summaries = frames(pieces, framing: framing, limit: limit, early: early)
      precondition(summaries == whole, "\(pieces.map(\.count)): \(summaries), not \(whole)")
    }
  }
  check(bytes.indices.map { bytes[$0...$0] })
  for first in bytes.indices {
    check([bytes[..<first], bytes[first...]])
    guard bytes.count < 80 else { continue }
    for second in first..<bytes.count {
      check([bytes[..<first], bytes[first..<second], bytes[second...]])
    }
  }
  return whole
}
