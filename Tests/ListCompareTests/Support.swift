import ByteBuffers

@testable import ListCompare

/// A file with a given text.
func file(_ text: String, named name: String = "f") -> ComparedFile {
  ComparedFile(name: name, content: SharedBytes(copying: text.utf8))
}

/// Refuses snapshots, which the tests do not have.
let noSnapshots: SnapshotComparing = { _, _ throws(ComparisonFailure) in
  throw ComparisonFailure("not supported")
}

/// A generator that returns the same numbers each time.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }
}

/// The lines of a text, with their line ends.
func lines(of text: String) -> [String] {
  var lines: [String] = []
  var line = ""
  for scalar in text.unicodeScalars {
    line.unicodeScalars.append(scalar)
    if scalar == "\n" {
      lines.append(line)
      line = ""
    }
  }
  if !line.isEmpty { lines.append(line) }
  return lines
}

/// A drawing for a terminal without colours.
func drawn(_ comparison: Comparison) -> String {
  var canvas = TextCanvas(isColoured: false, digits: comparison.digits)
  comparison.draw(on: &canvas, named: nil) { _ in }
  return canvas.output.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
}
