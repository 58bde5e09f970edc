import Foundation

/// `listd-bench COMMAND [OPTIONS]`: prints figures that are measured on fixed seeds.
let arguments = Array(CommandLine.arguments.dropFirst())
let usage = """
  usage: listd-bench diff [--size N]... [--workload NAME]... [--json]
         listd-bench session [--size N]... [--daemon PATH] [--json]
         listd-bench edits [--size N]... [--daemon PATH]
         listd-bench json [--size N]
         listd-bench compare [--size N] [--rounds N] [--daemon PATH] [--write FOLDER]
         listd-bench --plot FILE [--dark]
         listd-bench match [--size N]... [--lines FILE]
         listd-bench filter LINES QUERIES
         listd-bench view [--size N]... [--daemon PATH]
         listd-bench ways [--size N]... [--daemon PATH]
         listd-bench share [--size N] [--clients N] [--daemon PATH]

  diff     changes between lists in process, milliseconds, medians
  session  round trips to the daemon over pipes, compared with a Python client's own comparison
  edits    edits of one item, by the kinds of lists and edits, milliseconds of the daemon's CPU;
           memory; requests a second
  compare  listd diff compared with GNU diff, git and cmp, on files of a million lines; with
           --write, the files alone
  json     reading the text of a snapshot, megabytes a second
  --plot   an SVG of the output of diff --json and session --json
  match    queries of paths, or of the lines of a file, milliseconds, compared with fzf
  filter   the numbers of the lines that match each query of a file, best first
  view     edits, moved windows and queries of views, milliseconds of the daemon's CPU
  ways     each way to change a list under each thing that shows it, milliseconds of the daemon's CPU
  share    the time until all subscribers at a socket have received a change, milliseconds
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
case "edits":
  guard let command = EditsCommand(options) else { refuse() }
  do { try command.run() } catch {
    print("listd-bench: \(error)")
    exit(1)
  }
case "json":
  guard let command = JSONCommand(options) else { refuse() }
  command.run()
case "compare":
  guard let command = CompareCommand(options) else { refuse() }
  do { try command.run() } catch {
    print("listd-bench: \(error)")
    exit(1)
  }
case "--plot":
  guard let command = PlotCommand(options) else { refuse() }
  do { try command.run() } catch {
    FileHandle.standardError.write(Data("listd-bench: \(error)\n".utf8))
    exit(1)
  }
case "match":
  guard let command = MatchCommand(options) else { refuse() }
  do { try command.run() } catch {
    print("listd-bench: \(error)")
    exit(1)
  }
case "view":
  guard let command = ViewCommand(options) else { refuse() }
  do { try command.run() } catch {
    print("listd-bench: \(error)")
    exit(1)
  }
case "ways":
  guard let command = WaysCommand(options) else { refuse() }
  do { try command.run() } catch {
    print("listd-bench: \(error)")
    exit(1)
  }
case "share":
  guard let command = ShareCommand(options) else { refuse() }
  do { try command.run() } catch {
    print("listd-bench: \(error)")
    exit(1)
  }
case "filter":
  guard let command = FilterCommand(options) else { refuse() }
  do { try command.run() } catch {
    print("listd-bench: \(error)")
    exit(1)
  }
case "--help": print(usage)
default: refuse()
}

func refuse() -> Never {
  print(usage)
  exit(2)
}
