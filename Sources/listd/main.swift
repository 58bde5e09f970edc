import Commands
import ListServer

/// The first word if it is a command, after a space.
private func commandName() -> String {
  let word = ProgramStart.arguments.dropFirst().first
  return word.flatMap { Command.Name(rawValue: $0) }.map { " \($0.rawValue)" } ?? ""
}

/// Runs the command that the command line names. Returns the exit code after all resources are
/// released.
private func run() -> Int32 {
  do throws(CommandProblem) {
    switch try Command(Array(ProgramStart.arguments.dropFirst())) {
    case .serve(let options):
      if options.listen == nil, isatty(0) == 1 {
        Descriptor.report("reading JSON-RPC from the terminal; listd --help describes the commands")
      }
      guard let path = options.listen else { return try Server(options: options).run() }
      var server = try SharedServer(options, at: path)
      return try server.run()
    case .connect(let connect): return try connect.run()
    case .set(let set): return try set.run()
    case .get(let get): return try get.run()
    case .watch(let watch): return try watch.run()
    case .feed(let feed): return try feed.run()
    case .files(let files): return try files.run()
    case .lists(let lists): return try lists.run()
    case .remove(let remove): return try remove.run()
    case .pick(let pick): return try pick.run()
    case .page(let page): return try page.run()
    case .diff(let diff): return diff.run()
    case .since(let since): return since.run()
    case .gitDiff(let diff): return diff.run()
    case .gitMerge(let merge): return merge.run()
    case .replay(let replay): return try replay.run()
    case .help(let help): try Descriptor.print(help.text)
    case .schema(let name):
      let shapes = name.flatMap { ProtocolDocument.declarations(of: $0) }
      try Descriptor.print(shapes ?? String(decoding: ProtocolDocument.text, as: UTF8.self))
    case .version: try Descriptor.print(OwnDaemon.shared.title + "\n")
    }
    return 0
  } catch {
    Descriptor.report(error.words)
    if error.exitCode == 2, error.isOfCommandLine {
      Descriptor.report("try listd\(commandName()) --help")
    }
    return error.exitCode
  }
}

Descriptor.openStandard()
OwnDaemon.make = { .listd }
if ProgramStart.arguments.dropFirst().first == FeedGuard.word {
  exit(FeedGuard.run(ProgramStart.arguments[2...]))
}
exit(run())
