import ByteBuffers
import Testing

@Suite struct BufferTests {
  @Test(arguments: [
    0, 1, 9, 10, 11, 99, 100, 999, 1000, 65_535, 999_999_999_999_999_999, 1_000_000_000_000_000_000,
    Int.max, -1, -9, -10, -100, Int.min,
  ])
  func appendsDecimals(_ value: Int) {
    #expect(written { $0.append(decimal: value) } == "\(value)")
  }

  @Test func appendsEachNumberOfDigits() {
    var power = 1
    for _ in 0..<19 {
      for value in [power - 1, power, power + 1, power &* 9 &+ 7] {
        #expect(written { $0.append(decimal: value) } == "\(value)")
        #expect(written { $0.append(decimal: 0 &- value) } == "\(0 &- value)")
      }
      power = power &* 10
    }
  }

  @Test func appendsDecimalsOfAllDigits() {
    for value in stride(from: 0, through: 100_000_000, by: 1_237) {
      #expect(written { $0.append(decimal: value) } == "\(value)")
    }
  }

  @Test func fillsPatterns() {
    let single = NumberPattern("only")
    let pair = NumberPattern("[", ",", "]")
    let longest = NumberPattern(
      "a literal of thirty-two bytes, >", "b", "c", "d", "",
      "a literal of thirty-two bytes, <")
    #expect(written { $0.append(single, 1) } == "only")
    #expect(written { $0.append(pair, -1, Int.max) } == "[-1,\(Int.max)]")
    let most = Int.min
    let text = written { buffer in
      for _ in 0..<100 { buffer.append(longest, from: (most, most), to: (most, most), count: most) }
    }
    let once =
      "a literal of thirty-two bytes, >\(most)b\(most)c\(most)d\(most)\(most)"
      + "a literal of thirty-two bytes, <"
    #expect(text == String(repeating: once, count: 100))
  }

  @Test func findsBytesAtEachOffset() {
    func contains(_ sought: [UInt8], in bytes: [UInt8]) -> Bool {
      bytes.withUnsafeBytes { bytes in sought.withUnsafeBytes { Bytes.contains($0, in: bytes) } }
    }
    for count in [2, 3, 16, 17, 18, 33, 64, 65, 66, 81, 130, 200] {
      for length in [2, 3, 8, 17] where length <= count {
        let sought = (0..<length).map { UInt8($0 == 0 ? 7 : $0) }
        for place in 0...count - length {
          var bytes = [UInt8](repeating: 7, count: count)
          bytes.replaceSubrange(place..<place + length, with: sought)
          #expect(contains(sought, in: bytes))
          bytes[place + length - 1] ^= 0x80
          #expect(!contains(sought, in: bytes))
        }
      }
    }
    #expect(!contains([1, 2], in: []) && !contains([1, 2], in: [1]))
  }

  @Test func reusedMemoryIsLargeEnough() {
    // Alternately larger and smaller buffers reuse each other's memory.
    for size in [1 << 20, 5 << 20, 3 << 20, 9 << 20, 2 << 20, 6 << 20, 1 << 10, 9 << 20] {
      var one = ByteBuffer(capacity: size)
      var other = ByteBuffer(capacity: size / 2)
      #expect(one.capacity >= size && other.capacity >= size / 2)
      for buffer in 0..<2 {
        let byte = UInt8(buffer + 1)
        let full: (UnsafeMutableRawBufferPointer) -> Int = {
          $0.initializeMemory(as: UInt8.self, repeating: byte)
          return $0.count
        }
        _ =
          buffer == 0 ? one.withTail(minimum: size, full) : other.withTail(minimum: size / 2, full)
      }
      #expect(one[0] == 1 && one[one.count - 1] == 1)
      #expect(other[0] == 2 && other[other.count - 1] == 2)
    }
  }

  @Test func growsAndShrinks() {
    var buffer = ByteBuffer()
    #expect(buffer.isEmpty == true)
    for byte in 0..<1000 { buffer.append(UInt8(byte % 251)) }
    #expect(buffer.count == 1000 && buffer[999] == 246)
    buffer.removeLast(998)
    buffer.append("literal")
    buffer.remove(1..<4)
    #expect(buffer.withUnsafeBytes { Array($0) } == [0] + Array("teral".utf8))
    buffer.truncate(to: 2)
    let count = buffer.withTail(minimum: 5) { tail in
      #expect(tail.count >= 5)
      tail.copyBytes(from: [1, 2, 3])
      return 3
    }
    #expect(count == 3 && buffer.count == 5)
    buffer.removeAll(keepingCapacity: false)
    #expect(buffer.isEmpty == true && buffer.capacity == 0)
    buffer.append(contentsOf: [7, 8])
    let shared = buffer.shared()
    let padded = shared.withBytes {
      Array(UnsafeRawBufferPointer(start: $0.baseAddress, count: 2 + SharedBytes.padding))
    }
    #expect(padded == [7, 8] + [UInt8](repeating: 0, count: SharedBytes.padding))
  }

  @Test func sharesARange() {
    var buffer = ByteBuffer()
    for byte in 0..<200 { buffer.append(UInt8(byte)) }
    let shared = SharedBytes(adopting: buffer, range: 10..<20)
    #expect(shared.withBytes { Array($0) } == Array(10..<20))
    withExtendedLifetime(shared) {
      #expect((10..<74).allSatisfy { shared.base.load(fromByteOffset: $0, as: UInt8.self) == 0 })
    }
    let copy = shared.withBytes { SharedBytes(copying: $0) }
    #expect(copy.withBytes { Array($0) } == Array(10..<20))
    #expect(SharedBytes(copying: [UInt8]()).count == 0)
  }

  @Test func comparesAndFinds() {
    for count in 0..<70 {
      var a = [UInt8](repeating: 5, count: count)
      let b = a
      #expect(a.withUnsafeBytes { a in b.withUnsafeBytes { Bytes.equal(a, $0) } })
      for index in 0..<count {
        a[index] = 6
        #expect(!a.withUnsafeBytes { a in b.withUnsafeBytes { Bytes.equal(a, $0) } })
        #expect(a.withUnsafeBytes { Bytes.firstIndex(of: 6, in: $0, from: index / 2) } == index)
        #expect(a.withUnsafeBytes { Bytes.firstIndex(of: 6, in: $0, from: index + 1) } == nil)
        #expect(a.withUnsafeBytes { Bytes.lastIndex(of: 6, in: $0, before: count) } == index)
        #expect(a.withUnsafeBytes { Bytes.lastIndex(of: 6, in: $0, before: index) } == nil)
        a[index] = 5
      }
    }
  }

  @Test func countsBytes() {
    for count in [0, 7, 31, 32, 33, 8191, 8192, 20_000] {
      for others in [UInt8(0), 1, 200] {
        let bytes = (0..<count).map { 6 + UInt8($0 &* 2_654_435_761 >> 7 & 0xFF) % (others + 1) }
        let found = bytes.withUnsafeBytes { Bytes.count(of: 6, in: $0, before: count) }
        #expect(found == bytes.count { $0 == 6 })
      }
    }
  }
}

/// Returns the text that a closure appends.
private func written(_ write: (inout ByteBuffer) -> Void) -> String {
  var buffer = ByteBuffer()
  write(&buffer)
  return buffer.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
}
