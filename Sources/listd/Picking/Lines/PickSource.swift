import ByteBuffers
import JSONBytes
import ListCompare

/// Where the lines of `listd pick` come from.
struct PickSource {
  /// The command whose output they are; nil if there is none.
  private(set) var program: SourceProgram?

  /// What reads them again; nil if they are read once.
  private(set) var feed: RowFeed?

  /// Begins to read lines into a store.
  init(_ options: PickOptions, into store: LineStore, _ waker: Waker) throws(Options.Problem) {
    switch options.source {
    case .input:
      if isatty(Descriptor.input.number) == 1 {
        if let command = PickOptions.variable("FZF_DEFAULT_COMMAND") {
          program = try SourceProgram(
            PickCommand.shell + [command], separator: options.separator, into: store, waker)
        } else {
          feed = try FilesFeed(".", separator: options.separator, into: store, waker)
        }
        return
      }
      guard !Descriptor.wasClosed(.input) else {
        store.end()
        return
      }
      let number = dup(Descriptor.input.number)
      _ = fcntl(number, F_SETFD, FD_CLOEXEC)
      LineReader.start(number, separator: options.separator, into: store) { waker.wake() }
    case .files(let path):
      feed = try FilesFeed(path, separator: options.separator, into: store, waker)
    case .command(let words):
      guard !words.isEmpty else {
        throw Options.Problem(words: "--watch needs a command after --")
      }
      store.end()
      feed = ProgramFeed(
        words.count == 1 ? PickCommand.shell + words : words,
        every: .milliseconds(Int64(options.interval * 1000)), capturesErrors: true,
        reportsFirstRows: false)
    case .list(let name):
      store.end()
      feed = try ListFeed.following(name, at: options.socket)
    }
    if options.filter != nil || options.isSynchronous || options.selectsOne
      || options.endsWithoutMatch, let feed, !(feed is FilesFeed)
    {
      throw Options.Problem(
        words: "--filter, --sync, --select-1 and --exit-0 are for lines that end: leave them out")
    }
  }

  /// Ends the command.
  func end() {
    program?.end()
    feed?.end()
  }

  /// The lines of what was read from a feed: those of a text, or one for each item of a list.
  static func lines(of file: ComparedFile, separator: UInt8) -> LineChunk {
    let isList =
      file.content.withBytes { $0.first == 0x7B }
      && MessagePart(file.content, 0..<file.content.count)["sections"] != nil
    var splitter = LineSplitter(separator: isList ? 0x0A : separator)
    var chunk: LineChunk?
    if isList {
      let text = itemLines(MessagePart(file.content, 0..<file.content.count))
      chunk = text.withUnsafeBytes { splitter.add($0) }
    } else {
      chunk = file.content.withBytes { splitter.add($0) }
    }
    let last = splitter.end()
    guard let last else { return chunk ?? LineChunk(bytes: [], ends: []) }
    guard let chunk else { return last }
    let offset = chunk.bytes.count
    return LineChunk(
      bytes: chunk.bytes + last.bytes, ends: chunk.ends + last.ends.map { $0 + offset })
  }

  /// The items of a list as lines: their texts, or themselves as JSON.
  private static func itemLines(_ list: MessagePart) -> [UInt8] {
    var lines: [UInt8] = []
    for section in list["sections"]?.elements ?? [] {
      for item in section["items"]?.elements ?? [] {
        let text = item.text("text") ?? (item.members.isEmpty ? item.plain : item.json)
        lines += text.utf8.map { $0 == 0x0A ? 0x20 : $0 }
        lines.append(0x0A)
      }
    }
    return lines
  }
}
