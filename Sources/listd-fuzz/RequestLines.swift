/// Requests, one on each line, that are mutated like mistakes of a client: removed, repeated,
/// reordered, spliced, or with other identifiers, words, numbers and values in them.
struct RequestLines {
  private var lines: [[UInt8]]

  init(_ bytes: UnsafeRawBufferPointer) {
    lines = bytes.split(separator: 0x0A).map { Array($0) }
  }

  /// The bytes of all lines.
  var text: [UInt8] { Array(lines.joined(separator: [0x0A])) }

  mutating func mutate(_ random: inout SplitMix) {
    if lines.isEmpty { lines = [Array(#"{"jsonrpc":"2.0","id":1,"method":"getLists"}"#.utf8)] }
    let line = random.next(below: lines.count)
    let other = random.next(below: lines.count)
    switch random.next(below: 12) {
    case 0 where lines.count > 1: lines.remove(at: line)
    case 1: lines.insert(lines[line], at: other)
    case 2: lines.swapAt(line, other)
    case 3: splice(line, other, &random)
    case 4, 5: exchange(Self.containers, line, other, &random)
    case 6: changeNumber(line, &random)
    default: exchange(Self.tokens, line, other, &random)
    }
  }

  /// Inserts some lines of another value.
  mutating func insert(from other: RequestLines, _ random: inout SplitMix) {
    guard !other.lines.isEmpty else { return }
    let start = random.next(below: other.lines.count)
    let count = 1 + random.next(below: min(8, other.lines.count - start))
    lines.insert(
      contentsOf: other.lines[start..<start + count], at: random.next(below: lines.count + 1))
  }

  /// Joins the beginning of one line and the end of another.
  private mutating func splice(_ line: Int, _ other: Int, _ random: inout SplitMix) {
    let head = Self.boundaries(of: lines[line])
    let tail = Self.boundaries(of: lines[other])
    guard !head.isEmpty, !tail.isEmpty else { return }
    let start = head[random.next(below: head.count)]
    let end = tail[random.next(below: tail.count)]
    lines[line] = Array(lines[line][..<start] + lines[other][end...])
  }

  /// Replaces a part of a line by a part of another line, or by a value that is meaningful for
  /// lists.
  private mutating func exchange(
    _ parts: ([UInt8]) -> [Range<Int>], _ line: Int, _ other: Int, _ random: inout SplitMix
  ) {
    let targets = parts(lines[line])
    guard !targets.isEmpty else { return }
    let target = targets[random.next(below: targets.count)]
    let sources = parts(lines[other])
    let value: [UInt8]
    if random.next(below: 3) > 0, !sources.isEmpty {
      value = Array(lines[other][sources[random.next(below: sources.count)]])
    } else {
      value = Array(Self.values[random.next(below: Self.values.count)].utf8)
    }
    lines[line].replaceSubrange(target, with: value)
  }

  /// Increments or decrements a number of a line.
  private mutating func changeNumber(_ line: Int, _ random: inout SplitMix) {
    let numbers = Self.tokens(of: lines[line]).compactMap { range in
      Int(String(decoding: lines[line][range], as: UTF8.self)).map { (range, $0) }
    }
    guard !numbers.isEmpty else { return }
    let (range, number) = numbers[random.next(below: numbers.count)]
    let text = String(random.next(below: 2) == 0 ? number &+ 1 : number &- 1)
    lines[line].replaceSubrange(range, with: text.utf8)
  }

  private static let values = [
    "0", "1", "-1", "1.0", "\"1\"", "null", "true", "[]", "{}", "[0,0]", "\"main\"", "\"l\"",
    "{\"id\":1}", "{\"id\":1,\"t\":2}", "{\"path\":[0,0]}",
    "{\"id\":\"p\",\"parts\":[1,{\"id\":2}]}",
    "[1,2,3]", "[3,1,\"x\"]", "99999999999999999999", "9223372036854775807",
    "-9223372036854775808", "\"\\ud800\"", "{\"id\":\"s\",\"items\":[1]}",
    "[{\"id\":1,\"items\":[1,1,2]},{\"id\":2,\"items\":[2,{\"id\":3}]}]", "{\"list\":\"l\"}",
    "\"id\":1", "\"selected\":[1]", "\"cursorPolicy\":\"stay\"", "\"format\":\"textEdits\"",
    "\"template\":\"T\"", "\"parts\":[]", "\"occurrence\":1", "\"baseRevision\":1",
  ]

  /// The ranges of arrays and objects, including their brackets.
  private static func containers(of line: [UInt8]) -> [Range<Int>] {
    var open: [Int] = []
    var containers: [Range<Int>] = []
    for (offset, byte) in line.enumerated() {
      if byte == 0x5B || byte == 0x7B { open.append(offset) }
      if byte == 0x5D || byte == 0x7D, let start = open.popLast() {
        containers.append(start..<offset + 1)
      }
    }
    return containers
  }

  /// The ranges of strings with their quotation marks, numbers and words.
  private static func tokens(of line: [UInt8]) -> [Range<Int>] {
    var tokens: [Range<Int>] = []
    var offset = 0
    while offset < line.count {
      let start = offset
      offset += 1
      if line[start] == 0x22 {
        while offset < line.count, line[offset] != 0x22 { offset += line[offset] == 0x5C ? 2 : 1 }
        offset = min(offset + 1, line.count)
        tokens.append(start..<offset)
      } else if !isPunctuation(line[start]) {
        while offset < line.count, !isPunctuation(line[offset]), line[offset] != 0x22 {
          offset += 1
        }
        tokens.append(start..<offset)
      }
    }
    return tokens
  }

  /// The offsets of commas, brackets and spaces.
  private static func boundaries(of line: [UInt8]) -> [Int] {
    line.indices.filter { isPunctuation(line[$0]) }
  }

  private static func isPunctuation(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x2C, 0x3A, 0x5B, 0x5D, 0x7B, 0x7D: true
    default: false
    }
  }
}
