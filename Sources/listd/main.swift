import Glibc
import ListServer

do throws(Options.Problem) {
  let words = Array(CommandLine.arguments.dropFirst())
  if words.first == "replay" { exit(try ReplayCommand(words.dropFirst()).run()) }
  let options = try Options(words)
  switch options.command {
  case .serve: exit(try Server(options: options).run())
  case .diff(let diff): exit(diff.run())
  case .help: Descriptor.output.write(Options.help)
  case .version: Descriptor.output.write("listd \(Session.version)\n")
  }
} catch {
  Descriptor.error.write("listd: \(error.words)\n")
  if error.exitCode == 2 { Descriptor.error.write("Try listd --help.\n") }
  exit(error.exitCode)
}
