"""Completions of the command line for bash, zsh and fish."""

from __future__ import annotations

from typing import List

from commands import Command, Option

# The placeholders of values that are files.
FILES = ("FILE", "PATH", "DIR", "FOLDER", "SOCKET", "OUT")

# A script of the three shells that prints the names of a daemon's lists. Its arguments are the words of the
# command line, in which bash separates an option's value from its sign.
LISTS = r"""sh -c '
    socket= before=
    for word; do
      [ "$word" != "=" ] || continue
      case $before in --socket | --connect) socket=$word ;; esac
      case $word in --socket=* | --connect=*) socket=${word#*=} ;; esac
      before=$word
    done
    listd lists --json ${socket:+"--socket=$socket"} 2>/dev/null | grep -o "^{\"list\":\"[^\"]*\"" | cut -d "\"" -f 4' sh"""

# A script that prints the names of the recipes of the user and of the package.
RECIPES = r"""sh -c '
    for file in "${XDG_CONFIG_HOME:-$HOME/.config}/listd/recipes"/*.json \
      "$(dirname "$(command -v listd)")/../share/listd/recipes"/*.json; do
      [ ! -e "$file" ] || basename "$file" .json
    done'"""


def bash(commands: List[Command]) -> str:
    names = " ".join(command.name for command in commands[1:])
    cases = []
    for command in commands[1:]:
        options = _bash_options(command, names if command.name == "help" else "")
        cases.append(f"    {command.name})\n{options}\n      ;;")
    return f"""# Completions of listd for bash.

_listd_lists() {{
  {LISTS} "${{COMP_WORDS[@]}}"
}}

_listd_recipes() {{
  {RECIPES}
}}

# Completes the word as a program, whose name is the word with the given number, or as its argument.
_listd_program() {{
  if declare -F _command_offset >/dev/null; then
    _command_offset "$1"
  elif ((COMP_CWORD == $1)); then
    mapfile -t COMPREPLY < <(compgen -c -- "${{COMP_WORDS[COMP_CWORD]}}")
  else
    _listd_files "${{COMP_WORDS[COMP_CWORD]}}"
  fi
}}

_listd_files() {{
  compopt -o filenames 2>/dev/null
  mapfile -t -O "${{#COMPREPLY[@]}}" COMPREPLY < <(compgen -f -- "$1")
}}

_listd() {{
  local word=$2 before=$3 command= index
  for ((index = 1; index < COMP_CWORD; index++)); do
    case ${{COMP_WORDS[index]}} in
    {"|".join(command.name for command in commands[1:])})
      command=${{COMP_WORDS[index]}}
      break
      ;;
    esac
  done
  # The shell takes --option=value apart at the sign.
  [[ $before != = ]] || before=${{COMP_WORDS[COMP_CWORD - 2]}}
  [[ $word != = ]] || word=
  COMPREPLY=()
  case $command in
{chr(10).join(cases)}
    *)
{_bash_options(commands[0], names)}
      ;;
  esac
}}

complete -F _listd listd
"""


def _bash_options(command: Command, names: str = "") -> str:
    indent = "      "
    lines = []
    if command.takes_programs:
        lines += [
            f"{indent}for ((index = 2; index < COMP_CWORD; index++)); do",
            f"{indent}  [[ ${{COMP_WORDS[index]}} != -- ]] || {{ _listd_program $((index + 1)); return; }}",
            f"{indent}done",
        ]
    lines += [f"{indent}case $before in"]
    for option in command.options:
        if option.takes_next:
            reply = ""
            if option.choices:
                reply = _bash_words(" ".join(option.choices)) + "; "
            elif option.value in FILES:
                reply = '_listd_files "$word"; '
            elif option.name == "--list":
                reply = _bash_words("$(_listd_lists)") + "; "
            lines += [f"{indent}{option.name}) {reply}return ;;"]
    lines += [f"{indent}esac"]
    options = " ".join(option.name for option in command.options)
    lines += [f"{indent}if [[ $word == -* ]]; then", f"{indent}  {_bash_words(options)}"]
    words = " ".join(
        ["$(_listd_lists)"] * command.takes_lists + ["$(_listd_recipes)"] * command.takes_recipes
    )
    words = words or names
    if words or command.takes_files:
        lines += [f"{indent}else"]
    if words:
        lines += [f"{indent}  {_bash_words(words)}"]
    if command.takes_files:
        lines += [f'{indent}  _listd_files "$word"']
    return "\n".join([*lines, f"{indent}fi"])


def _bash_words(words: str) -> str:
    return f'mapfile -t COMPREPLY < <(compgen -W "{words}" -- "$word")'


def zsh(commands: List[Command]) -> str:
    cases = []
    for command in commands[1:]:
        functions = ["_listd_lists"] * command.takes_lists
        functions += ["_listd_recipes"] * command.takes_recipes
        more = [f"'1:list:{{{'; '.join(functions)}}}'"] if functions else []
        if command.takes_files:
            more.append("'*:file:_files'")
        if command.name == "help":
            more = ["'1:command:_listd_commands'"]
        options = _zsh_arguments(command, more, 6)
        if command.takes_programs:
            options = f"      _listd_program && return\n{options}"
        cases.append(f"    {command.name})\n{options}\n      ;;")
    described = "\n".join(
        f"    {_quoted(command.name + ':' + command.summary)}" for command in commands[1:]
    )
    first = _zsh_arguments(commands[0], ["'1:command:_listd_commands'"], 6)
    return f"""#compdef listd

_listd_commands() {{
  local -a commands=(
{described}
  )
  _describe command commands
}}

_listd_lists() {{
  local -a lists=(${{(f)"$({LISTS} $words)"}})
  compadd -a lists
}}

_listd_recipes() {{
  local -a recipes=(${{(f)"$({RECIPES})"}})
  compadd -a recipes
}}

# Completes a program and its arguments after --.
_listd_program() {{
  local index=${{words[(i)--]}}
  (( index < CURRENT )) || return 1
  shift $index words
  (( CURRENT -= index ))
  _normal
}}

_listd() {{
  local command=
  if (( CURRENT > 2 )) && [[ ${{words[2]}} != -* ]]; then
    command=${{words[2]}}
    shift words
    (( CURRENT-- ))
  fi
  case $command in
{chr(10).join(cases)}
    *)
{first}
      ;;
  esac
}}

_listd "$@"
"""


def _zsh_arguments(command: Command, more: List[str], indent: int) -> str:
    lines = [_zsh_option(option) for option in command.options] + more
    space = " " * indent
    return f"{space}_arguments -S \\\n" + " \\\n".join(f"{space}  {line}" for line in lines)


def _zsh_option(option: Option) -> str:
    text = option.text.replace("[", "(").replace("]", ")").replace(":", "\\:")
    if not option.takes_next:
        return _quoted(f"{option.name}[{text}]")
    if option.choices:
        values = f"({' '.join(option.choices)})"
    else:
        values = "_files" if option.value in FILES else "_pids" if option.value == "PID" else " "
        values = "_listd_lists" if option.name == "--list" else values
    kind = "value" if option.choices else option.value.lower()
    # The value of a one-letter option is a separate word, or follows directly.
    sign = "=" if option.name.startswith("--") else "+"
    return _quoted(f"{option.name}{sign}[{text}]:{kind}:{values}")


def fish(commands: List[Command]) -> str:
    names = " ".join(command.name for command in commands[1:])
    lines = [
        "# Completions of listd for fish.",
        "",
        "function __listd_lists",
        f"  __listd_is_program; or {LISTS} (commandline -opc)",
        "end",
        "",
        "function __listd_recipes",
        f"  __listd_is_program; or {RECIPES}",
        "end",
        "",
        "function __listd_is_program",
        "  contains -- -- (commandline -opc)",
        "end",
        "",
        "# Completes a program and its arguments after --.",
        "function __listd_program",
        "  set -l words (commandline -opc)",
        "  set -l index (contains -i -- -- $words)",
        "  complete -C (string join -- ' ' (string escape -- $words[(math $index + 1)..]) (commandline -ct))",
        "end",
        "",
        "complete -c listd -f",
    ]
    for command in commands[1:]:
        lines.append(
            f"complete -c listd -n __fish_use_subcommand -a {command.name}"
            f" -d {_quoted(command.summary)}"
        )
    for command in commands:
        when = f"__fish_seen_subcommand_from {command.name}"
        when = f"'{when}'" if command.name else "__fish_use_subcommand"
        if command.takes_files and command.name:
            lines.append(f"complete -c listd -n {when} -F")
        if command.takes_lists:
            lines.append(f"complete -c listd -n {when} -a '(__listd_lists)'")
        if command.takes_recipes:
            lines.append(f"complete -c listd -n {when} -a '(__listd_recipes)'")
        if command.takes_programs:
            program = f"'__fish_seen_subcommand_from {command.name}; and __listd_is_program'"
            lines.append(f"complete -c listd -n {program} -x -a '(__listd_program)'")
        if command.name == "help":
            lines.append(f"complete -c listd -n {when} -a '{names}'")
        lines += [f"complete -c listd -n {when} {_fish_option(option)}" for option in command.options]
    return "\n".join(lines) + "\n"


def _fish_option(option: Option) -> str:
    name = f"-l {option.name[2:]}" if option.name.startswith("--") else f"-s {option.name[1:]}"
    words = f"{name} -d {_quoted(option.text)}"
    if option.choices:
        return f"{words} -x -a '{' '.join(option.choices)}'"
    if option.value in FILES:
        return f"{words} -r -F"
    if option.name == "--list":
        return f"{words} -x -a '(__listd_lists)'"
    return f"{words} -x" if option.takes_next else words


def _quoted(text: str) -> str:
    """Quotes text as one word, for all three shells."""
    return "'" + text.replace("'", "’") + "'"
