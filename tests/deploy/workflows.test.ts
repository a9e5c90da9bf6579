import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ROOT, read, readYaml, scripts } from './files.ts';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}
interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<
    Record<string, { readonly 'timeout-minutes': number; readonly steps: readonly Step[] }>
  >;
}

const FOLDER = '.github/workflows';
const names = readdirSync(`${ROOT}${FOLDER}`);

describe.each(names)('the workflow %s', (name) => {
  const { permissions, jobs } = readYaml<Workflow>(`${FOLDER}/${name}`);
  const steps = Object.values(jobs).flatMap((job) => job.steps);

  it('runs only scripts and files that exist', () => {
    const commands = steps.flatMap(({ run = '' }) => run.split(/\n|&&/).map((line) => line.trim()));
    for (const command of commands) {
      const script = /^npm run (\S+)/.exec(command)?.[1];
      if (script !== undefined) expect(Object.keys(scripts), command).toContain(script);
      const file = /^(?:sh )?(\.ci\/\S+|deploy\/\S+)/.exec(command)?.[1];
      if (file !== undefined) expect(existsSync(`${ROOT}${file}`), command).toBe(true);
    }
  });

  it('takes each action by its commit, and says which version that is', () => {
    const lines = read(`${FOLDER}/${name}`)
      .split('\n')
      .filter((line) => line.includes('uses:'));
    expect(lines.length).toBe(steps.filter(({ uses }) => uses !== undefined).length);
    for (const line of lines) expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('has no rights besides those that a job asks for, no token in its files, and an end', () => {
    expect(permissions).toEqual({ contents: 'read' });
    for (const job of Object.values(jobs)) expect(job['timeout-minutes']).toBeGreaterThan(0);
    for (const { uses = '', with: given } of steps)
      if (uses.startsWith('actions/checkout@')) expect(given?.['persist-credentials']).toBe(false);
  });

  it('passes what a pull request may name to a shell only by its environment', () => {
    for (const { run = '' } of steps) expect(run).not.toContain('${{');
  });
});

it('each script of npm names files that exist', () => {
  for (const [name, command] of Object.entries(scripts))
    for (const [file] of command.matchAll(
      /(?:^|\s)((?:packages|scripts|tests|bench|deploy)\/[\w./-]+\.(?:ts|js|sh))(?=\s|$)/g,
    ))
      expect(existsSync(`${ROOT}${file.trim()}`), `npm run ${name}`).toBe(true);
});
