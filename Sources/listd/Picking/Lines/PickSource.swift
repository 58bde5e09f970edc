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
            System.shell + [command], separator: options.separator, into: store, waker)
        } else {
          try FilesReader.start(".", separator: options.separator, into: store, waker)
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
      try FilesReader.start(path, separator: options.separator, into: store, waker)
    case .command(let words):
      guard !words.isEmpty else {
        throw Options.Problem(words: "--watch needs a command after --")
      }
      let command = words.count == 1 ? System.shell + words : words
      guard !options.needsEnd else {
        program = try SourceProgram(command, separator: options.separator, into: store, waker)
        return
      }
      store.end()
      feed = ProgramFeed(
        command,
        every: .milliseconds(Int64(options.interval * 1000)), capturesErrors: true,
        reportsFirstRows: true)
    case .list(let name):
      guard !options.needsEnd else {
        throw Options.Problem(
          words: "--filter, --sync, --select-1 and --exit-0 are not for lists: leave them out")
      }
      store.end()
      feed = try ListFeed.following(name, at: options.socket)
    }
  }

  /// Ends the command.
  func end() {
    program?.end()
    feed?.end()
  }

  /// The lines of what was read from a feed: those of a text, or one for each item of a list.
  static func lines(of file: ComparedFile, separator: UInt8) -> LineStore {
    let part = MessagePart(file.content, 0..<file.content.count)
    if file.content.withBytes({ $0.first == 0x7B }), let sections = part["sections"] {
      return lines(of: sections)
    }
    let store = LineStore()
    var splitter = LineSplitter(separator: separator)
    if let chunk = file.content.withBytes({ splitter.add($0) }) { store.append(chunk) }
    if let chunk = splitter.end() { store.append(chunk) }
    store.end()
    return store
  }

  /// The items of a list as lines: their texts, or themselves as JSON, identified by their ids.
  private static func lines(of sections: MessagePart) -> LineStore {
    var bytes: [UInt8] = []
    var (ends, identities): ([Int], [[UInt8]]) = ([], [])
    for (index, section) in sections.elements.enumerated() {
      for item in section["items"]?.elements ?? [] {
        let text = item.text("text") ?? (item.members.isEmpty ? item.plain : item.json)
        bytes += text.utf8.map { $0 == 0x0A ? 0x20 : $0 }
        ends.append(bytes.count)
        bytes.append(0x0A)
        identities.append(Array("\(index) \((item["id"] ?? item).json)".utf8))
      }
    }
    let store = LineStore(identities: identities)
    store.append(LineChunk(bytes: bytes, ends: ends))
    store.end()
    return store
  }
}
