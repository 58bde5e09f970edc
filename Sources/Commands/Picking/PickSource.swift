import ListCompare

/// Where the lines of `listd pick` come from.
struct PickSource {
  /// The search for the first lines.
  let search: PickSearch

  /// The command whose output they are; nil if there is none.
  private(set) var program: SourceProgram?

  /// What reads them again; nil if they are read once.
  private(set) var feed: RowFeed?

  /// Begins to read lines.
  init(_ options: PickOptions, _ waker: Waker) throws(CommandProblem) {
    if case .list(let name) = options.source {
      search = try ListSearch(name, options)
      return
    }
    let store = LineStore(tail: options.tail, header: options.headerLines)
    search = LineSearch(store, options.form, skipping: options.headerLines) { waker.wake() }
    try read(options, into: store, waker)
  }

  private mutating func read(
    _ options: PickOptions, into store: LineStore, _ waker: Waker
  ) throws(CommandProblem) {
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
        throw CommandProblem(words: "--watch needs a command after --")
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
    case .list: break
    }
  }

  /// Ends the command.
  func end() {
    program?.end()
    feed?.end()
  }

  /// The lines of what was read from a feed.
  static func lines(of file: ComparedFile, separator: UInt8) -> LineStore {
    let store = LineStore()
    var splitter = LineSplitter(separator: separator)
    if let chunk = file.content.withBytes({ splitter.add($0) }) { store.append(chunk) }
    if let chunk = splitter.end() { store.append(chunk) }
    store.end()
    return store
  }
}
