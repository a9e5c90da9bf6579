/** `ghostlight completion`: a script by which a shell completes our commands, made of the register, so that it knows every one of them. */
import { type Argument, type Command, isGroup, type Leaf, type Option } from './command.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** What may follow the words that were typed. */
interface Place {
  /** The words before: `keys issue`; empty at the beginning. */
  readonly path: string;
  /** Word → what it means. */
  readonly words: readonly (readonly [word: string, about: string])[];
  readonly options: readonly Option[];
}

/** @param commands all of them; asked for when the command runs */
export const completionOf = (commands: () => Promise<readonly Command[]>): Leaf => ({
  name: 'completion',
  summary: 'print a script that completes commands in your shell',
  about: 'Load it in the start-up file of the shell, as the examples do, and open a new shell.',
  arguments: [{ name: 'SHELL', about: 'your shell', choices: SHELLS }],
  json: '{"shell", "script"}',
  examples: [
    { does: 'For bash, in ~/.bashrc', command: 'ghostlight completion bash' },
    { does: 'For zsh, in ~/.zshrc', command: 'ghostlight completion zsh' },
    {
      does: 'For fish, in ~/.config/fish/completions/ghostlight.fish',
      command: 'ghostlight completion fish',
    },
  ],
  async run({ argument }) {
    const shell = argument('SHELL') as Shell;
    const script = completionScript(shell, await commands());
    return { data: { shell, script }, text: script.trimEnd() };
  },
});

/** Pure, for its test. */
export const completionScript = (shell: Shell, commands: readonly Command[]): string =>
  SCRIPTS[shell](placesOf(commands));

const HELP: readonly (readonly [string, string])[] = [['help', 'show the help of a command']];
const JSON_FLAG: Option = { name: 'json', about: 'print JSON' };

function placesOf(commands: readonly Command[]): Place[] {
  const places: Place[] = [
    {
      path: '',
      words: [...commands.map(entry), ...HELP],
      options: [{ name: 'version', about: 'print the version' }],
    },
  ];
  const add = (command: Command, above: string): void => {
    const path = `${above}${command.name}`;
    if (isGroup(command)) {
      places.push({ path, words: command.subcommands.map(entry), options: [] });
      for (const subcommand of command.subcommands) add(subcommand, `${path} `);
      return;
    }
    const options = [...(command.options ?? []), ...(command.json === undefined ? [] : [JSON_FLAG])];
    places.push({ path, words: choicesOf(command.arguments), options });
  };
  for (const command of commands) add(command, '');
  return places;
}

const entry = ({ name, summary }: Command) => [name, summary] as const;

const choicesOf = (words: readonly Argument[] = []) =>
  words.flatMap(({ choices = [], about }) => choices.map((choice) => [choice, about] as const));

const SCRIPTS: Readonly<Record<Shell, (places: readonly Place[]) => string>> = { bash, zsh, fish };

/** In single quotes, as all three shells read them. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const flagsOf = ({ options }: Place): string[] => [...options.map(({ name }) => `--${name}`), '--help'];

function bash(places: readonly Place[]): string {
  const cases = places.map(
    (place) =>
      `    ${quoted(place.path)}) words=${quoted([...place.words.map(([word]) => word), ...flagsOf(place)].join(' '))} ;;`,
  );
  const values = choicesByOption(places).map(
    ([option, choices]) => `    --${option}) words=${quoted(choices.join(' '))} ;;`,
  );
  return `# Completes the commands of ghostlight in bash: source <(ghostlight completion bash)
_ghostlight() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} path='' word words=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in
      help|-*) ;;
      *) if _ghostlight_words "\${path:+$path }$word" > /dev/null; then path="\${path:+$path }$word"; fi ;;
    esac
  done
  case $previous in
${values.join('\n')}
    *) words=$(_ghostlight_words "$path") ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  # Nothing of ours fits: a file.
  if [ \${#COMPREPLY[@]} -eq 0 ]; then COMPREPLY=($(compgen -f -- "$current")); fi
}
_ghostlight_words() {
  local words
  case $1 in
${cases.join('\n')}
    *) return 1 ;;
  esac
  printf '%s' "$words"
}
complete -F _ghostlight ghostlight
`;
}

function zsh(places: readonly Place[]): string {
  const described = (word: string, about: string) => quoted(`${word.replaceAll(':', '\\:')}:${about}`);
  const cases = places.map((place) => {
    const words = place.words.map(([word, about]) => described(word, about));
    const options = [
      ...place.options.map(({ name, about }) => described(`--${name}`, about)),
      described('--help', 'show the help'),
    ];
    return `    ${quoted(place.path)}) offered=(${[...words, ...options].join(' ')}) ;;`;
  });
  const values = choicesByOption(places).map(
    ([option, choices]) => `    --${option}) offered=(${choices.map(quoted).join(' ')}) ;;`,
  );
  return `#compdef ghostlight
# Completes the commands of ghostlight in zsh: source <(ghostlight completion zsh)
_ghostlight() {
  local place='' word
  local -a offered
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case $word in
      help|-*) ;;
      *) if _ghostlight_offer "\${place:+$place }$word"; then place="\${place:+$place }$word"; fi ;;
    esac
  done
  case \${words[CURRENT-1]} in
${values.join('\n')}
    *) _ghostlight_offer "$place" ;;
  esac
  _describe ghostlight offered || _files
}
_ghostlight_offer() {
  case $1 in
${cases.join('\n')}
    *) return 1 ;;
  esac
}
if (( ! $+functions[compdef] )); then autoload -Uz compinit && compinit; fi
compdef _ghostlight ghostlight
`;
}

function fish(places: readonly Place[]): string {
  const lines = places.flatMap((place) => {
    const condition = quoted(`__ghostlight_at ${place.path === '' ? "''" : `"${place.path}"`}`);
    const start = `complete -c ghostlight -n ${condition}`;
    return [
      ...place.words.map(([word, about]) => `${start} -f -a ${quoted(word)} -d ${quoted(about)}`),
      ...place.options.map(({ name, value, about, choices }) => {
        const takes =
          choices === undefined ? (value === undefined ? '' : ' -r') : ` -x -a ${quoted(choices.join(' '))}`;
        return `${start} -l ${name}${takes} -d ${quoted(about)}`;
      }),
    ];
  });
  const paths = places.map(({ path }) => quoted(path)).join(' ');
  return `# Completes the commands of ghostlight in fish.
function __ghostlight_at
    set -l path ''
    for word in (commandline -opc)[2..]
        if string match -q -- '-*' $word; or test $word = help
            continue
        end
        set -l longer (string trim "$path $word")
        if contains -- $longer ${paths}
            set path $longer
        end
    end
    test "$path" = "$argv[1]"
end
complete -c ghostlight -l help -d 'show the help'
${lines.join('\n')}
`;
}

/** Options of one name take the same values in nearly every command; where they differ, all of them are offered. */
function choicesByOption(places: readonly Place[]): [string, string[]][] {
  const byName = new Map<string, Set<string>>();
  for (const { name, choices = [] } of places.flatMap(({ options }) => options))
    for (const choice of choices) byName.set(name, (byName.get(name) ?? new Set()).add(choice));
  return [...byName].map(([name, choices]) => [name, [...choices]]);
}
