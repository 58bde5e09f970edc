import Glibc
import ListServer

do throws(Options.Problem) {
  let options = try Options(Array(CommandLine.arguments.dropFirst()))
  switch options.command {
  case .serve: exit(Server(options: options).run())
  case .diff(let diff): exit(diff.run())
  case .help: Descriptor.output.write(Options.help)
  case .version: Descriptor.output.write("listd \(Session.version)\n")
  }
} catch {
  Descriptor.error.write("listd: \(error.words)\nTry listd --help.\n")
  exit(2)
}
