/// `listd-bench COMMAND [OPTIONS]`: prints figures, on fixed seeds.
let arguments = Array(CommandLine.arguments.dropFirst())
let usage = """
  usage: listd-bench diff [--size N]... [--workload NAME]... [--json]
         listd-bench session [--size N]... [--daemon PATH] [--json]

  diff     changes between lists in process, milliseconds, medians
  session  round trips to the daemon over pipes, and a Python client's own comparison
  """

switch arguments.first {
case "diff":
  if let command = DiffCommand(arguments.dropFirst()) {
    command.run()
  } else {
    print(usage)
  }
case "session":
  if let command = SessionCommand(arguments.dropFirst()) {
    do { try command.run() } catch { print("listd-bench: \(error)") }
  } else {
    print(usage)
  }
default: print(usage)
}
