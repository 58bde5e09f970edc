/// `listd page`: starts the program in `clients/web` that shows rows as a table in the browser.
package struct PageCommand: Sendable {
  private let words: [String]

  package static let help = CommandHelp(
    name: "page", summary: "shows rows as a live table in the browser",
    usage: [
      "page [OPTION]... [FILE | DIR]", "page [-n SECONDS] [OPTION]... -- COMMAND [ARGUMENT]...",
      "page --connect PATH --list NAME",
    ],
    options: [
      .init("-n", "SECONDS", "the time from one run of COMMAND to the next (2)")
    ]
      + DiffOptions.help("--key", "--key-field", "--input") + [
        .init("--connect", "PATH", "use the daemon that listens at PATH, not one of its own"),
        .init("--list", "NAME", "with --connect: show a list of that daemon"),
        .init("--port", "N", "serve the page at this port of localhost (8017 if free)"),
        .init("--open", "open the page in the browser"),
        .init("--html", "FILE", "write a copy of the page that needs no daemon, and end"),
        .init("--seconds", "N", "with --html: record what changes in N seconds"),
      ],
    notes: """
      FILE, standard input if it is -, or the output of COMMAND is read as listd set reads files; text
      below a line of headers, as ps and docker print it, has columns. DIR, the current folder if
      there is no operand, is a row for each of its files. The rows are read again when FILE or DIR
      changes, and COMMAND is run again; of its first run the rows are shown while they arrive. A
      COMMAND of one word is run by sh. The page needs python3.

        listd page prices.csv --key sku
        listd page -n 1 -- ps -eo pid,user,pcpu,rss,args
        listd page --connect ~/.listd/socket --list backups
        listd page --html processes.html --seconds 20 -n 1 -- ps -eo pid,pcpu,args

      In a column of numbers values are numbers. Without a key, the first column is the key if its
      values differ. A file of DIR is {"id", "name", "type", "size", "modified"}. What cannot be read
      is reported in the page, too, and the rows are kept. The page can be opened only on this
      machine. With --connect, other clients see the rows as the list rows, or files of DIR.

      A copy plays what was recorded, and is sorted, filtered and grouped like the page. Without
      --seconds it records COMMAND and lists for 10 seconds, and FILE and DIR as they are.

      listd page runs until a signal ends it. It exits with 1 if the rows cannot be read, the port is
      in use or the daemon ends, and with 2 if the command line is wrong.
      """)

  /// Checks the words after `page`.
  package init(_ words: ArraySlice<String>) throws(CommandProblem) {
    var arguments = Arguments(words, of: Self.help)
    while try arguments.next() != nil {}
    self.words = Array(words)
  }

  /// Replaces this process by the program.
  package func run() throws(CommandProblem) -> Int32 {
    let program = System.programPath
    guard let page = System.sharedPath("web/page") else {
      throw CommandProblem(
        words: "the files of the page are not beside \(program): clients/install installs them",
        exitCode: 1)
    }
    // The page uses this program as its daemon.
    setenv("LISTD", program, 1)
    var arguments = (["python3", "-B", page] + words).map { strdup($0) } + [nil]
    _ = execvp("python3", &arguments)
    throw CommandProblem(words: "cannot run python3: \(Descriptor.problem)", exitCode: 1)
  }
}
