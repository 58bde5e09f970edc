import Foundation

/// `listd-bench COMMAND [OPTIONS]`: prints figures, on fixed seeds.
let arguments = Array(CommandLine.arguments.dropFirst())
let usage = """
  usage: listd-bench diff [--size N]... [--workload NAME]... [--json]
         listd-bench session [--size N]... [--daemon PATH] [--json]
         listd-bench json [--size N]

  diff     changes between lists in process, milliseconds, medians
  session  round trips to the daemon over pipes, and a Python client's own comparison
  json     the text of a snapshot read, megabytes a second
  """

let options = arguments.dropFirst()
switch arguments.first {
case "diff":
  guard let command = DiffCommand(options) else { refuse() }
  command.run()
case "session":
  guard let command = SessionCommand(options) else { refuse() }
  do { try command.run() } catch {
    print("listd-bench: \(error)")
    exit(1)
  }
case "json":
  guard let command = JSONCommand(options) else { refuse() }
  command.run()
case "--help": print(usage)
default: refuse()
}

func refuse() -> Never {
  print(usage)
  exit(2)
}
