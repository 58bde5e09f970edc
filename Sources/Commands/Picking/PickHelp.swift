/// The description of `listd pick`, and the options of fzf that it has not.
enum PickHelp {
  static let command = CommandHelp(
    name: "pick",
    summary: "prints the lines that you choose among those that match what you type",
    usage: [
      "pick [OPTION]... [RECIPE]", "pick [OPTION]... --files [DIR]", "pick [OPTION]... --list NAME",
      "pick [OPTION]... --watch -- COMMAND [ARGUMENT]...",
    ],
    options: PickOption.table.help, notes: notes)

  private static var notes: String {
    let actions = PickAction.Name.allCases.map { $0.rawValue }
    return text + paragraph("Keys and events are bound to these actions of fzf:", actions)

      + paragraph(
        "These are events:", PickKey.Event.allCases.map { $0.rawValue } + ["every(SECONDS)"])
      + paragraph("fzf has these options, too, which are refused:", refused.keys.sorted())
      + paragraph("and these actions and events:", refusedActions)
  }

  /// A paragraph of a sentence and words, in lines of at most 100 columns.
  private static func paragraph(_ sentence: String, _ words: [String]) -> String {
    var lines = [sentence]
    for (index, word) in words.enumerated() {
      let word = word + (index + 1 < words.count ? "," : ".")
      if lines[lines.count - 1].count + word.count + 1 > 100 {
        lines.append(word)
      } else {
        lines[lines.count - 1] += " " + word
      }
    }
    return "\n\n" + lines.joined(separator: "\n")
  }

  private static let text = """
    Lines are read from standard input; if that is a terminal, from $FZF_DEFAULT_COMMAND, or the files
    of the folder. Options have the names and meanings of fzf, whose other options are refused. Those
    of $FZF_DEFAULT_OPTS and $FZF_DEFAULT_OPTS_FILE apply, except others of fzf.

      find . | listd pick --multi
      ps -ef | listd pick --header-lines 1 --bind 'ctrl-r:reload(ps -ef)'
      listd pick --watch -- docker ps
      eval "$(listd pick --bash)"

    The last line binds Ctrl-R to the history of commands, Ctrl-T to files, Alt-C to folders, and
    completes paths after ** with Tab; $FZF_CTRL_T_COMMAND, $FZF_CTRL_T_OPTS and so on are used.

    RECIPE is the name of a file recipes/RECIPE.json in ~/.config/listd, or of the package, as for listd
    watch. It has a command, which is run again and again, and what keys do with its rows.

      kill $(listd pick ps)

    Type a query in the language of fzf: abc 'abc ^abc abc$ !abc, and a | b. Marks stay when the query
    changes, and are shown in a panel of their own. A list that lives (--watch, --files, --list) is
    always up to date, and the cursor and the marks stay on their lines.

    Tab and Shift-Tab mark a line, Alt-A all that match, and Alt-N none. Enter prints the marked lines,
    or the current one; Esc ends it. Ctrl-K and Ctrl-J, or the arrows, PgUp and PgDn, Alt-< and Alt->
    move the cursor; Ctrl-A, Ctrl-E, Ctrl-B, Ctrl-F, Alt-B, Alt-F, Ctrl-W, Ctrl-U, Ctrl-Y, Alt-D and
    Alt-Backspace edit the query. Shift-Up and Shift-Down scroll the preview.

    Lines may contain any bytes and are printed unchanged. Letters with accents differ from those
    without, as with fzf's --literal. Equal scores are ordered by the length of what is searched.

    It exits with 0 if a line was printed, 1 if none matches, 2 if something is wrong, and 130 if it
    was ended by Esc.
    """

  /// The actions and events of fzf that pick does not have.
  static let refusedActions = """
    backward-kill-subword backward-subword bg-cancel bg-transform change-header-label
    change-header-lines change-input-label change-list-label click-footer click-header disable-raw
    enable-raw forward-subword hide-input kill-subword next-history prev-history show-input
    toggle-hscroll toggle-input toggle-multi-line toggle-preview-wrap-word toggle-raw toggle-wrap
    toggle-wrap-word transform-header-label transform-header-lines transform-input-label
    transform-list-label
    """.split { $0.isWhitespace }.map { String($0) }

  /// The options of fzf that pick does not have, and whether each takes a value.
  static let refused: [String: Bool] = {
    let values = """
      scheme style border-label-pos wrap-sign gap-line freeze-left freeze-right
      hscroll-off gutter gutter-raw marker-multi-line ellipsis list-label
      list-label-pos info-command separator input-label input-label-pos
      preview-label-pos preview-wrap-sign header-label header-label-pos footer-label
      footer-label-pos with-shell walker walker-root walker-skip history history-size bench
      """
    let switches = """
      no-extended no-bold popup tmux wrap wrap-word raw gap keep-right
      no-hscroll scrollbar list-border no-input filepath-word input-border
      header-first header-border header-lines-border footer-border listen listen-unsafe nushell man
      no-literal no-unicode no-listen no-history
      """
    var table: [String: Bool] = ["+x": false]
    for name in values.split(whereSeparator: { $0.isWhitespace }) { table["--\(name)"] = true }
    for name in switches.split(whereSeparator: { $0.isWhitespace }) { table["--\(name)"] = false }
    return table
  }()
}
