/** Which of the customer's own scripts still run once the old dependencies, source and tests are gone. */

/** Programs that are there without a dependency, or by ours. */
const AVAILABLE = new Set(
  'wrangler ghostlight-collector npm npx yarn pnpm bun node git echo cd cp mv rm mkdir cat test sh bash curl true sleep'.split(
    ' ',
  ),
);
const REMOVED_PATH = /^(?:\.\/)?(?:src|tests?)\//;

/** @returns the names that don't */
export function deadScripts(scripts: Readonly<Record<string, string>>): ReadonlySet<string> {
  const dead = new Set<string>();
  // One that calls a dead one is dead too; each round finds at least one, so there are at most as many rounds as scripts.
  for (;;) {
    const found = Object.keys(scripts).filter(
      (name) => !dead.has(name) && !runs(scripts[name] ?? '', scripts, dead),
    );
    if (found.length === 0) return dead;
    for (const name of found) dead.add(name);
  }
}

function runs(script: string, scripts: Readonly<Record<string, string>>, dead: ReadonlySet<string>): boolean {
  return script
    .split(/&&|\|\||[;|&]/)
    .map((command) => command.trim().split(/\s+/))
    .every((words) =>
      commandRuns(
        words.filter((word) => !/^[A-Za-z_]\w*=/.test(word)),
        scripts,
        dead,
      ),
    );
}

function commandRuns(
  [program = '', ...words]: string[],
  scripts: Readonly<Record<string, string>>,
  dead: ReadonlySet<string>,
): boolean {
  const called = calledScript(program, words);
  if (called !== null) return called in scripts && !dead.has(called);
  if (program === 'npx')
    return commandRuns(
      words.filter((word) => !word.startsWith('-')),
      scripts,
      dead,
    );
  if (words.some((word) => REMOVED_PATH.test(word))) return false;
  return AVAILABLE.has(program) || /^\.{0,2}\//.test(program);
}

function calledScript(program: string, [first = '', second = '']: string[]): string | null {
  if (!['npm', 'yarn', 'pnpm', 'bun'].includes(program)) return null;
  if (first === 'run' || first === 'run-script') return second;
  if (program === 'npm')
    return ['test', 'start', 'stop', 't'].includes(first) ? first.replace(/^t$/, 'test') : null;
  return ['install', 'add', 'x', 'exec', 'dlx'].includes(first) ? null : first;
}
