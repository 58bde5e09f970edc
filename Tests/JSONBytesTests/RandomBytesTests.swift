import JSONBytes
import Testing

@Suite struct RandomBytesTests {
  @Test func neverTrap() {
    var generator = SeededGenerator(seed: 42)
    let signs = Array("{}[]:,\"\\ 01e-.truefalsn\n".utf8) + [0x80, 0xC3, 0xE2, 0xF0, 0x00, 0xFF]
    for round in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0..<48, using: &generator)).map { _ in
        round % 2 == 0
          ? UInt8.random(in: 0...255, using: &generator)
          : signs.randomElement(using: &generator) ?? 0
      }
      if problem(bytes) == nil { #expect(same(bytes, bytes)) }
    }
  }
}
