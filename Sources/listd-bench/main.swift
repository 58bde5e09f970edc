/// `listd-bench COMMAND [OPTIONS]`: prints figures, on fixed seeds.
let arguments = Array(CommandLine.arguments.dropFirst())
let usage = """
  usage: listd-bench diff [--size N]... [--workload NAME]... [--json]

  diff   changes between lists in process, milliseconds, medians
  """

switch arguments.first {
case "diff":
  if let command = DiffCommand(arguments.dropFirst()) {
    command.run()
  } else {
    print(usage)
  }
default: print(usage)
}
