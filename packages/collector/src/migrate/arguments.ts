export interface MigrateArguments {
  readonly command: 'migrate';
  readonly directory: string;
  readonly yes: boolean;
  readonly dryRun: boolean;
  readonly force: boolean;
  /** The unpacked source of the release that the repository was made from; null: not given. */
  readonly release: string | null;
}
export interface CheckArguments {
  readonly command: 'check';
  readonly directory: string;
}
export type Arguments =
  | MigrateArguments
  | CheckArguments
  | { readonly command: 'help' | 'version' }
  | { readonly command: 'misused'; readonly because: string };

export const USAGE = `Usage: ghostlight-collector <command> [directory]

  check    [directory]                               name what is still a placeholder or malformed in the wrangler file
  migrate  [directory] [--yes] [--dry-run] [--force] [--release=DIR]
                                                     turn a repository from before 0.5.0 into one with configuration only

The directory is the one with the wrangler file; without it, the current one.

  --yes      migrate without asking
  --dry-run  show the plan and change nothing
  --force    also remove source that was changed by hand, and work where git can't bring it back
  --release=DIR  compare with the unpacked source of the release that the repository was made from: what differs was changed by hand
  --version  print the collector's version
  --help     print this`;

const FLAGS: Readonly<Record<'check' | 'migrate', readonly string[]>> = {
  check: [],
  migrate: ['--yes', '-y', '--dry-run', '--force', '--release'],
};

/** @param words the words after the command's name on the command line */
export function readArguments(words: readonly string[]): Arguments {
  if (words.length === 0 || words.includes('--help') || words.includes('-h')) return { command: 'help' };
  if (words.includes('--version') || words.includes('-v')) return { command: 'version' };
  const [command = '', ...rest] = words;
  if (command !== 'check' && command !== 'migrate') {
    return { command: 'misused', because: `There is no command "${command}".` };
  }
  const flags = new Set(rest.filter((word) => word.startsWith('-')));
  const directories = rest.filter((word) => !word.startsWith('-'));
  const unknown = [...flags].find((flag) => !FLAGS[command].includes(flag.split('=', 1)[0] ?? ''));
  if (unknown !== undefined) return { command: 'misused', because: `${command} has no option ${unknown}.` };
  const releases = [...flags].filter((flag) => flag.startsWith('--release'));
  const [release = null] = releases.map((flag) => flag.slice('--release='.length));
  if (releases.length > 1 || release === '')
    return { command: 'misused', because: 'Pass --release=DIR once, with the directory of a release.' };
  if (directories.length > 1) return { command: 'misused', because: `${command} takes one directory.` };
  const directory = directories[0] ?? '.';
  if (command === 'check') return { command, directory };
  return {
    command,
    directory,
    yes: flags.has('--yes') || flags.has('-y'),
    dryRun: flags.has('--dry-run'),
    force: flags.has('--force'),
    release,
  };
}
