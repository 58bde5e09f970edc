import ByteBuffers
import JSONBytes

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

/// Calls `body` with bytes that are followed by 64 bytes of `filler`, which a reader must ignore.
func withBytes<R>(
  _ bytes: [UInt8], filler: UInt8 = 0, _ body: (UnsafeRawBufferPointer) throws -> R
) rethrows -> R {
  try (bytes + [UInt8](repeating: filler, count: 64)).withUnsafeBytes {
    try body(UnsafeRawBufferPointer(rebasing: $0[..<bytes.count]))
  }
}

/// Returns the error of a whole text, or nil.
///
/// The result must not depend on the bytes after the text, nor on the way in which it is read.
func problem(_ bytes: [UInt8]) -> JSONError? {
  func skipped(filler: UInt8) -> JSONError? {
    withBytes(bytes, filler: filler) {
      var reader = JSONReader($0)
      do throws(JSONError) {
        _ = try reader.skip()
        try reader.end()
        return nil
      } catch {
        return error
      }
    }
  }
  let found = skipped(filler: 0)
  for filler: UInt8 in [0x22, 0x30, 0x7D, 0x80] {
    precondition((skipped(filler: filler) == nil) == (found == nil), "read past the end")
  }
  precondition((walked(bytes) == nil) == (found == nil), "walked and skipped differ")
  return found
}

/// Returns the error of a text that is read token by token, or nil.
func walked(_ bytes: [UInt8]) -> JSONError? {
  withBytes(bytes, filler: 0x5D) {
    var reader = JSONReader($0)
    do throws(JSONError) {
      try walk(&reader)
      try reader.end()
      return nil
    } catch {
      return error
    }
  }
}

private func walk(_ reader: inout JSONReader) throws(JSONError) {
  var open: [Bool] = []
  var wantsValue = true
  repeat {
    if wantsValue {
      switch try reader.peek() {
      case .object:
        try reader.openObject()
        open.append(true)
      case .array:
        try reader.openArray()
        open.append(false)
      case .string: _ = try reader.string()
      default: _ = try reader.skip()
      }
    }
    guard let isObject = open.last else { return }
    wantsValue = isObject ? try reader.nextMember() != nil : try reader.nextElement()
    if !wantsValue { open.removeLast() }
  } while !open.isEmpty
}

func problem(_ text: String) -> JSONError? { problem(Array(text.utf8)) }

/// Returns the canonical form of a text.
func canonical(_ bytes: [UInt8]) -> [UInt8] {
  withBytes(bytes) {
    var canonical = JSONCanonical()
    var buffer = ByteBuffer()
    canonical.append($0, to: &buffer)
    return buffer.withUnsafeBytes { Array($0) }
  }
}

/// Returns whether two texts are the same value. All ways to compare them must agree.
func same(_ a: [UInt8], _ b: [UInt8]) -> Bool {
  let answer = canonical(a) == canonical(b)
  withBytes(a) { a in
    withBytes(b) { b in
      precondition(JSONEquality.equal(a, b) == answer && JSONEquality.equal(b, a) == answer)
    }
  }
  return answer
}

func same(_ a: String, _ b: String) -> Bool { same(Array(a.utf8), Array(b.utf8)) }

/// Returns the text that a closure appends.
func written(_ write: (inout ByteBuffer) -> Void) -> String {
  var buffer = ByteBuffer()
  write(&buffer)
  return buffer.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
}
