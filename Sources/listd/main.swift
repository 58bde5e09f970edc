import Glibc
import ListServer

/// Does what the command line says; returns the exit code once nothing is held any more.
private func run() -> Int32 {
  do throws(Options.Problem) {
    let words = Array(CommandLine.arguments.dropFirst())
    if words.first == "replay" { return try ReplayCommand(words.dropFirst()).run() }
    let options = try Options(words)
    switch options.command {
    case .serve: return try Server(options: options).run()
    case .diff(let diff): return diff.run()
    case .help: Descriptor.output.write(Options.help)
    case .version: Descriptor.output.write("listd \(Session.version)\n")
    }
    return 0
  } catch {
    Descriptor.error.write("listd: \(error.words)\n")
    if error.exitCode == 2 { Descriptor.error.write("Try listd --help.\n") }
    return error.exitCode
  }
}

exit(run())
