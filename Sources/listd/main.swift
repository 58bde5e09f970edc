import ListServer

/// Does what the command line says; returns the exit code once nothing is held any more.
private func run() -> Int32 {
  do throws(Options.Problem) {
    switch try Command(Array(ProgramStart.arguments.dropFirst())) {
    case .serve(let options): return try Server(options: options).run()
    case .diff(let diff): return diff.run()
    case .replay(let replay): return try replay.run()
    case .help(let help): Descriptor.output.write(help.text)
    case .version: Descriptor.output.write(Command.versionText)
    }
    return 0
  } catch {
    Descriptor.error.write("listd: \(error.words)\n")
    if error.exitCode == 2 { Descriptor.error.write("Try listd --help.\n") }
    return error.exitCode
  }
}

exit(run())
