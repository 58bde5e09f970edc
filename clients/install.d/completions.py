"""Completions of the command line for bash, zsh and fish."""

from __future__ import annotations

from typing import List

from commands import Command, Option

# The placeholders of values that are files.
FILES = ("FILE", "PATH", "DIR", "FOLDER", "SOCKET", "OUT")


def bash(commands: List[Command]) -> str:
    cases = []
    for command in commands[1:]:
        cases.append(f"    {command.name})\n{_bash_options(command)}\n      ;;")
    names = " ".join(command.name for command in commands[1:])
    return f"""# Completions of listd for bash.

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

complete -o default -F _listd listd
"""


def _bash_options(command: Command, words: str = "") -> str:
    indent = "      "
    lines = [f"{indent}case $before in"]
    for option in command.options:
        if option.choices:
            reply = f'mapfile -t COMPREPLY < <(compgen -W "{" ".join(option.choices)}" -- "$word")'
            lines += [f"{indent}{option.name}) {reply}; return ;;"]
        elif option.value:
            kind = "f" if option.value in FILES else ""
            reply = f'mapfile -t COMPREPLY < <(compgen -{kind} -- "$word"); ' if kind else ""
            lines += [f"{indent}{option.name}) {reply}return ;;"]
    lines += [f"{indent}esac"]
    names = " ".join(option.name for option in command.options)
    if command.name == "help":
        words = "$(listd help | sed -n 's/^ *listd \\([a-z][a-z-]*\\).*/\\1/p')"
    tests = [f'mapfile -t COMPREPLY < <(compgen -W "{names}" -- "$word")']
    reply = f"{indent}if [[ $word == -* ]]; then\n{indent}  {tests[0]}\n"
    if words:
        reply += f'{indent}else\n{indent}  mapfile -t COMPREPLY < <(compgen -W "{words}" -- "$word")\n'
    return "\n".join(lines) + "\n" + reply + f"{indent}fi"


def zsh(commands: List[Command]) -> str:
    cases = []
    for command in commands[1:]:
        more = ["'*:file:_files'"] if command.takes_files else []
        if command.name == "help":
            more = ["'1:command:_listd_commands'"]
        cases.append(f"    {command.name})\n{_zsh_arguments(command, more, 6)}\n      ;;")
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
    if not option.value:
        return _quoted(f"{option.name}[{text}]")
    if option.choices:
        values = f"({' '.join(option.choices)})"
    else:
        values = "_files" if option.value in FILES else "_pids" if option.value == "PID" else " "
    kind = "value" if option.choices else option.value.lower()
    # The value of a one-letter option is a separate word, or follows directly.
    sign = "=" if option.name.startswith("--") else "+"
    return _quoted(f"{option.name}{sign}[{text}]:{kind}:{values}")


def fish(commands: List[Command]) -> str:
    names = " ".join(command.name for command in commands[1:])
    lines = [
        "# Completions of listd for fish.",
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
    return f"{words} -x" if option.value else words


def _quoted(text: str) -> str:
    """Quotes text as one word, for all three shells."""
    return "'" + text.replace("'", "’") + "'"
