/// Requests, a line each, that change as a client might err: left out, repeated, in another order,
/// spliced, or with other identifiers, words, numbers and values in them.
struct RequestLines {
  private var lines: [[UInt8]]

  init(_ bytes: UnsafeRawBufferPointer) {
    lines = bytes.split(separator: 0x0A).map { Array($0) }
  }

  /// The bytes of all lines.
  var text: [UInt8] { Array(lines.joined(separator: [0x0A])) }

  mutating func mutate(_ random: inout SplitMix) {
    if lines.isEmpty { lines = [Array(#"{"jsonrpc":"2.0","id":1,"method":"getLists"}"#.utf8)] }
    let place = random.next(below: lines.count)
    let other = random.next(below: lines.count)
    switch random.next(below: 12) {
    case 0 where lines.count > 1: lines.remove(at: place)
    case 1: lines.insert(lines[place], at: other)
    case 2: lines.swapAt(place, other)
    case 3: splice(place, other, &random)
    case 4, 5: exchange(Self.containers, place, other, &random)
    case 6: count(place, &random)
    default: exchange(Self.tokens, place, other, &random)
    }
  }

  /// Puts some lines of others among these.
  mutating func insert(from other: RequestLines, _ random: inout SplitMix) {
    guard !other.lines.isEmpty else { return }
    let start = random.next(below: other.lines.count)
    let count = 1 + random.next(below: min(8, other.lines.count - start))
    lines.insert(
      contentsOf: other.lines[start..<start + count], at: random.next(below: lines.count + 1))
  }

  /// Puts the end of one line behind the beginning of another.
  private mutating func splice(_ place: Int, _ other: Int, _ random: inout SplitMix) {
    let head = Self.boundaries(of: lines[place])
    let tail = Self.boundaries(of: lines[other])
    guard !head.isEmpty, !tail.isEmpty else { return }
    let start = head[random.next(below: head.count)]
    let end = tail[random.next(below: tail.count)]
    lines[place] = Array(lines[place][..<start] + lines[other][end...])
  }

  /// Puts a part of one line, or a value that lists care about, in place of one of another.
  private mutating func exchange(
    _ parts: ([UInt8]) -> [Range<Int>], _ place: Int, _ other: Int, _ random: inout SplitMix
  ) {
    let targets = parts(lines[place])
    guard !targets.isEmpty else { return }
    let target = targets[random.next(below: targets.count)]
    let sources = parts(lines[other])
    let value: [UInt8]
    if random.next(below: 3) > 0, !sources.isEmpty {
      value = Array(lines[other][sources[random.next(below: sources.count)]])
    } else {
      value = Array(Self.values[random.next(below: Self.values.count)].utf8)
    }
    lines[place].replaceSubrange(target, with: value)
  }

  /// Makes a number of a line greater or smaller by one.
  private mutating func count(_ place: Int, _ random: inout SplitMix) {
    let numbers = Self.tokens(of: lines[place]).compactMap { range in
      Int(String(decoding: lines[place][range], as: UTF8.self)).map { (range, $0) }
    }
    guard !numbers.isEmpty else { return }
    let (range, number) = numbers[random.next(below: numbers.count)]
    let text = String(random.next(below: 2) == 0 ? number &+ 1 : number &- 1)
    lines[place].replaceSubrange(range, with: text.utf8)
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

  /// Arrays and objects, from bracket to bracket.
  private static func containers(of line: [UInt8]) -> [Range<Int>] {
    var open: [Int] = []
    var containers: [Range<Int>] = []
    for (place, byte) in line.enumerated() {
      if byte == 0x5B || byte == 0x7B { open.append(place) }
      if byte == 0x5D || byte == 0x7D, let start = open.popLast() {
        containers.append(start..<place + 1)
      }
    }
    return containers
  }

  /// Strings with their quotation marks, numbers and words.
  private static func tokens(of line: [UInt8]) -> [Range<Int>] {
    var tokens: [Range<Int>] = []
    var place = 0
    while place < line.count {
      let start = place
      place += 1
      if line[start] == 0x22 {
        while place < line.count, line[place] != 0x22 { place += line[place] == 0x5C ? 2 : 1 }
        place = min(place + 1, line.count)
        tokens.append(start..<place)
      } else if !isPunctuation(line[start]) {
        while place < line.count, !isPunctuation(line[place]), line[place] != 0x22 { place += 1 }
        tokens.append(start..<place)
      }
    }
    return tokens
  }

  /// The places right behind commas and brackets.
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
