import ListCompare

/// Regular expressions for the lines that name functions, as git reads them: the first one that
/// matches a line decides, and those that begin with `!` are for other lines.
final class LinePatterns {
  private var patterns: [(expression: regex_t, isName: Bool)] = []

  /// Compiles the lines of a text; returns nil if one of them is not a regular expression.
  init?(_ text: String, isExtended: Bool = true, ignoresCase: Bool = false) {
    let flags = (isExtended ? REG_EXTENDED : 0) | (ignoresCase ? REG_ICASE : 0)
    for line in text.split(separator: "\n") {
      let isName = !line.hasPrefix("!")
      var expression = regex_t()
      guard regcomp(&expression, String(isName ? line : line.dropFirst()), flags) == 0 else {
        return nil
      }
      patterns.append((expression, isName))
    }
  }

  deinit { for index in patterns.indices { regfree(&patterns[index].expression) } }

  /// The part of a line that is a name; nil if the line has none.
  func name(in line: UnsafeRawBufferPointer) -> Range<Int>? {
    var text = line.prefix { $0 != 0x0A && $0 != 0x0D }.map { CChar(bitPattern: $0) } + [0]
    var matches = [regmatch_t](repeating: regmatch_t(), count: 2)
    for index in patterns.indices
    where regexec(&patterns[index].expression, &text, matches.count, &matches, 0) == 0 {
      guard patterns[index].isName else { return nil }
      let match = matches[1].rm_so >= 0 ? matches[1] : matches[0]
      return Int(match.rm_so)..<Int(match.rm_eo)
    }
    return nil
  }

  /// Creates the patterns of a driver that git has, unless its lines are found without patterns.
  convenience init?(ofDriver name: String) {
    switch name {
    case "ada":
      self.init(
        """
        !^(.*[ \t])?(is[ \t]+new|renames|is[ \t]+separate)([ \t].*)?$
        ^[ \t]*((procedure|function|package|protected|task)[ \t].*)$
        """, ignoresCase: true)
    case "bibtex": self.init("^@[A-Za-z]+[ \t]*[{].*$")
    case "css": self.init("![:;][ \t]*$\n^[:[@.#]?[_a-z0-9].*$", ignoresCase: true)
    case "dts": self.init("!;\n!=\n^[ \t]*((/[ \t]*[{]|&?[A-Za-z_]).*)$")
    case "fortran":
      self.init(
        """
        !^([C*]|[ \t]*!)
        !^[ \t]*module[ \t]+procedure[ \t]
        ^[ \t]*((end[ \t]+)?(program|module|block[ \t]+data|([^!'" \t]+[ \t]+)*(subroutine|function))[ \t]+[a-z].*)$
        """, ignoresCase: true)
    case "fountain":
      self.init("^((\\.[^.]|(int|ext|est|int\\.?/ext|i/e)[. ]).*)$", ignoresCase: true)
    case "html": self.init("^[ \t]*(<h[1-6]([ \t].*)?>.*)$", ignoresCase: true)
    case "matlab": self.init("^[ \t]*((classdef|function)[ \t].*)$\n^((%%%?|##)[ \t].*)$")
    case "objc":
      self.init(
        """
        !^[ \t]*(do|for|if|else|return|switch|while)
        ^[ \t]*([-+][ \t]*[(][ \t]*[A-Za-z_][A-Za-z_0-9* \t]*[)][ \t]*[A-Za-z_].*)$
        ^[ \t]*(([A-Za-z_][A-Za-z_0-9]*[ \t]+)+[A-Za-z_][A-Za-z_0-9]*[ \t]*[(][^;]*)$
        ^(@(implementation|interface|protocol)[ \t].*)$
        """)
    case "pascal":
      self.init(
        """
        ^((class[ \t]+)?(procedure|function|constructor|destructor|interface|implementation|initialization|finalization)([ \t].*)?)$
        ^(.*=[ \t]*(class|record).*)$
        """, ignoresCase: true)
    case "scheme":
      self.init(
        """
        ^[ \t]*([(]def(ine|struct|syntax|class|method|rules|record|proto|alias)?[-*/ \t].*)$
        ^[ \t]*([(](library|module|struct|class)[*+ \t].*)$
        """)
    case "tex": self.init("^(\\\\((sub)*section|chapter|part)[*]?[{].*)$")
    default: return nil
    }
  }
}
