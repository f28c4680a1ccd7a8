"""`charleston completion`: what a shell needs to complete commands, options and files, made from the parser itself."""

from __future__ import annotations

import shlex
import sys
from argparse import Action, ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Iterator
from typing import NamedTuple

HELP = "print what a shell needs to complete this command"
DESCRIPTION = "Print a script for bash, zsh or fish that completes the commands, options and files of charleston."
EPILOG = """\
bash: eval "$(charleston completion bash)"        in ~/.bashrc
zsh:  eval "$(charleston completion zsh)"         in ~/.zshrc, after compinit
fish: charleston completion fish | source         in ~/.config/fish/config.fish
"""
SHELLS = ("bash", "zsh", "fish")


class Word(NamedTuple):
    """An option or the arguments of a command: its names, what it is for, and what may follow it.

    `values` are the words that may follow; `file` that a file may; `takes` that something has to.
    """

    names: tuple[str, ...]
    help: str
    values: tuple[str, ...]
    file: bool
    takes: bool


def options(command: ArgumentParser, whole: ArgumentParser) -> None:
    """Add the argument of the command; `whole` is the parser to complete."""
    command.add_argument("shell", metavar="SHELL", choices=SHELLS, help="bash, zsh or fish")
    command.set_defaults(run=run, whole=whole)


def run(told: Namespace) -> int:
    """Print the script."""
    lines = {"bash": _bash, "zsh": _zsh, "fish": _fish}[told.shell]
    sys.stdout.write("".join(f"{line}\n" for line in lines(told.whole)))
    return 0


FILES = frozenset(["GAME", "TABLE", "BEFORE", "AFTER", "FILE", "FILE.toml", "PATH", "DIR"])
"""The metavars that stand for files."""


def _words(command: ArgumentParser) -> list[Word]:
    return [_word(action) for action in command._actions if not isinstance(action, _SubParsersAction)]


def _word(action: Action) -> Word:
    values = tuple(map(str, action.choices or ()))
    return Word(tuple(action.option_strings), action.help or "", values, action.metavar in FILES, action.nargs != 0)


def _commands(whole: ArgumentParser) -> Iterator[tuple[str, str, list[Word]]]:
    for action in whole._actions:
        if isinstance(action, _SubParsersAction):
            helps = {choice.dest: choice.help or "" for choice in action._choices_actions}
            for name, command in action.choices.items():
                yield name, helps.get(name, ""), _words(command)


def _bash(whole: ArgumentParser) -> Iterator[str]:
    yield "_charleston() {"
    yield "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} options= values= files="
    yield "  case ${COMP_WORDS[1]} in"
    names = []
    for name, _, words in _commands(whole):
        names.append(name)
        yield f"    {name})"
        yield f"      options={shlex.quote(' '.join(each for word in words for each in word.names))}"
        yield "      case $before in"
        for word in words:
            if word.names and word.takes:
                yield f"        {'|'.join(word.names)}) options= values={shlex.quote(' '.join(word.values))} " + (
                    "files=yes ;;" if word.file else ";;"
                )
        values = [value for word in words if not word.names for value in word.values]
        files = "files=yes" if any(word.file for word in words if not word.names) else ""
        yield f"        *) values={shlex.quote(' '.join(values))} {files} ;;"
        yield "      esac ;;"
    own = [each for word in _words(whole) for each in word.names]
    yield f"    *) options={shlex.quote(' '.join(own))} values={shlex.quote(' '.join(names))} ;;"
    yield "  esac"
    yield "  if (( COMP_CWORD == 1 )); then"
    yield f"    options={shlex.quote(' '.join(own))} values={shlex.quote(' '.join(names))} files="
    yield "  fi"
    yield "  [[ $word == -* ]] || options="
    yield '  COMPREPLY=($(compgen -W "$options $values" -- "$word"))'
    yield "  if [[ $files && $word != -* ]]; then"
    yield "    compopt -o filenames 2>/dev/null"
    yield '    mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$word")'
    yield "  fi"
    yield "}"
    yield "complete -F _charleston charleston"


def _zsh(whole: ArgumentParser) -> Iterator[str]:
    yield "#compdef charleston"
    yield "_charleston() {"
    yield "  if (( CURRENT == 2 )); then"
    yield "    local -a commands=("
    for name, help, _ in _commands(whole):
        yield f"      {shlex.quote(f'{name}:{help}')}"
    yield "    )"
    yield "    _describe command commands"
    yield "    return"
    yield "  fi"
    yield "  local command=$words[2]"
    yield "  shift words; (( CURRENT-- ))"
    yield "  case $command in"
    for name, _, words in _commands(whole):
        specs = [shlex.quote(spec) for word in words for spec in _zsh_specs(word)]
        yield f"    {name}) _arguments {' '.join(specs)} ;;"
    yield "  esac"
    yield "}"
    yield "compdef _charleston charleston"


def _zsh_specs(word: Word) -> Iterator[str]:
    after = f":value:({' '.join(word.values)})" if word.values else ":file:_files" if word.file else ":value: "
    help = word.help.replace("[", "(").replace("]", ")").replace(":", r"\:")
    if not word.names:
        yield f"*{after}"
    for name in word.names:
        yield f"{name}[{help}]{after if word.takes else ''}"


def _fish(whole: ArgumentParser) -> Iterator[str]:
    yield "complete -c charleston -f"
    for name, help, words in _commands(whole):
        yield f"complete -c charleston -n __fish_use_subcommand -a {name} -d {_fish_quoted(help)}"
        here = f"complete -c charleston -n {_fish_quoted(f'__fish_seen_subcommand_from {name}')}"
        for word in words:
            after = f" -xa {_fish_quoted(' '.join(word.values))}" if word.values else " -rF" if word.file else " -x"
            if not word.names:
                after = f" -a {_fish_quoted(' '.join(word.values))}" if word.values else " -F" if word.file else ""
                if after:
                    yield here + after
                continue
            names = " ".join(f"-l {name[2:]}" if name[:2] == "--" else f"-s {name[1:]}" for name in word.names)
            yield f"{here} {names} -d {_fish_quoted(word.help)}{after if word.takes else ''}"


def _fish_quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
