/** The scripts in real shells: bash everywhere, zsh and fish where they are installed. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { completionScript } from './completion.ts';
import { commandsFor } from './register.ts';

const COMMANDS = (await commandsFor([])).flatMap((section) => section.commands);
const place = mkdtempSync(join(tmpdir(), 'ghostlight-completion-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

function scriptFor(shell: 'bash' | 'zsh' | 'fish'): string {
  const file = join(place, `ghostlight.${shell}`);
  writeFileSync(file, completionScript(shell, COMMANDS));
  return file;
}
const hasShell = (name: string) => spawnSync(name, ['-c', 'exit 0']).status === 0;
const run = (shell: string, ...words: readonly string[]) =>
  execFileSync(shell, words, { cwd: place, encoding: 'utf8' });

/** What bash offers for a line, whose last word is being typed. */
function inBash(line: string): string[] {
  const words = line.split(' ');
  const script = `source '${scriptFor('bash')}'; COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _ghostlight; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return run('bash', '--norc', '-uc', script).trim().split('\n');
}

describe('in bash', () => {
  it.each([
    ['ghostlight ke', ['keys']],
    ['ghostlight keys ', ['list', 'issue', 'revoke', '--help']],
    ['ghostlight keys issue --na', ['--name']],
    ['ghostlight help keys iss', ['issue']],
    ['ghostlight keys --name x issue --pro', ['--provider', '--property']],
    ['ghostlight logs tail --verified ', ['true', 'false', 'unknown']],
    ['ghostlight completion ', ['bash', 'zsh', 'fish']],
    ['ghostlight import ghostlight.b', ['ghostlight.bash']],
  ])('%s', (line, offered) => {
    expect(inBash(line)).toEqual(expect.arrayContaining(offered));
  });

  it('offers every command at the beginning, and help', () => {
    expect(inBash('ghostlight ')).toEqual([
      ...COMMANDS.map(({ name }) => name),
      'help',
      '--version',
      '--help',
    ]);
  });
});

it.skipIf(!hasShell('fish'))('in fish, with what each word does', () => {
  const offered = (line: string) =>
    run('fish', '--no-config', '-c', `source ${scriptFor('fish')}; complete -C '${line}'`);
  expect(offered('ghostlight ke')).toContain('keys\t');
  expect(offered('ghostlight keys ')).toContain('revoke\trevoke an ingest key at once');
  expect(offered('ghostlight keys issue --prov')).toContain('--provider\t');
  expect(offered('ghostlight help spool dr')).toContain('drain\t');
  expect(offered('ghostlight logs tail --verified ')).toContain('unknown');
});

it.skipIf(!hasShell('zsh'))('is a script that zsh reads', () => {
  expect(run('zsh', '-n', scriptFor('zsh'))).toBe('');
});
