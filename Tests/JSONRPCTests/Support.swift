import JSONBytes
import JSONRPC

/// Random numbers that are the same in every run.
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

/// A frame as text: `=` a message, `>` its length where it was too large, `!` a broken header.
func picture(_ frame: Frame) -> String {
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

/// The frames of a stream that comes in the given pieces, fed and read into the tail in turn; `early`
/// has messages handed over before all of them has come.
func frames(
  _ pieces: some Sequence<ArraySlice<UInt8>>, framing: Framing = .auto,
  limit: Int = FrameReader.defaultLimit, early: Bool = false
) -> [String] {
  var reader = FrameReader(framing: framing, limit: limit)
  var pictures: [String] = []
  var isFed = false
  var arriving: SharedBytes?
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
    if let message = arriving, reader.arrived == message.count {
      pictures.append(picture(.message(message)))
      arriving = nil
    }
    while let frame = reader.next() { pictures.append(picture(frame)) }
    if early, arriving == nil { arriving = reader.beginArrival(minimum: 1) }
  }
  while let frame = reader.finish() { pictures.append(picture(frame)) }
  return pictures
}

/// The frames of a stream that comes at once, after they were found the same for other cuts,
/// and where messages are handed over early.
func frames(
  _ text: String, framing: Framing = .auto, limit: Int = FrameReader.defaultLimit
) -> [String] {
  let bytes = Array(text.utf8)
  let whole = frames([bytes[...]], framing: framing, limit: limit)
  func check(_ pieces: [ArraySlice<UInt8>]) {
    for early in [false, true] {
      let pictures = frames(pieces, framing: framing, limit: limit, early: early)
      precondition(pictures == whole, "\(pieces.map(\.count)): \(pictures), not \(whole)")
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
