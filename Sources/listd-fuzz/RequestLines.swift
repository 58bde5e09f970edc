/// Requests, a line each, that change as a client might err: left out, repeated, in another order,
/// spliced, or with other words and numbers in them.
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
    switch random.next(below: 9) {
    case 0 where lines.count > 1: lines.remove(at: place)
    case 1: lines.insert(lines[place], at: other)
    case 2: lines.swapAt(place, other)
    case 3: splice(place, other, &random)
    default: exchange(place, other, &random)
    }
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

  /// Puts a token of one line, or a value that lists care about, in place of one of another.
  private mutating func exchange(_ place: Int, _ other: Int, _ random: inout SplitMix) {
    let tokens = Self.tokens(of: lines[place])
    guard !tokens.isEmpty else { return }
    let target = tokens[random.next(below: tokens.count)]
    let sources = Self.tokens(of: lines[other])
    let value: [UInt8]
    if random.next(below: 3) > 0, !sources.isEmpty {
      value = Array(lines[other][sources[random.next(below: sources.count)]])
    } else {
      value = Array(Self.values[random.next(below: Self.values.count)].utf8)
    }
    lines[place].replaceSubrange(target, with: value)
  }

  private static let values = [
    "0", "1", "-1", "1.0", "\"1\"", "null", "true", "[]", "{}", "[0,0]", "\"main\"", "\"l\"",
    "{\"id\":1}", "{\"id\":1,\"t\":2}", "{\"path\":[0,0]}",
    "{\"id\":\"p\",\"parts\":[1,{\"id\":2}]}",
    "[1,2,3]", "[3,1,\"x\"]", "99999999999999999999", "\"\\ud800\"", "{\"id\":\"s\",\"items\":[1]}",
  ]

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
