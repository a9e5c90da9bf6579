/** A command in this process, with a clock that runs a hundred times faster, in a folder of its own. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { main } from '../main.ts';
import { FakeService } from './service.ts';

const FASTER = 100;

export interface Running {
  /** Standard error. */
  readonly told: () => string;
  readonly out: () => string;
  readonly stdin: PassThrough;
  /** As SIGTERM does. @returns the exit code */
  stop(): Promise<number>;
  readonly ended: Promise<number>;
}

export class Workbench {
  readonly folder = mkdtempSync(join(tmpdir(), 'ghostlight-tail-'));
  readonly service = new FakeService();
  readonly #running = new Set<Running>();
  env: Record<string, string> = { GHOSTLIGHT_KEY: 'gl_test_key', XDG_STATE_HOME: join(this.folder, 'state') };
  /** What the operator answers; null: there is no terminal. */
  says: boolean | null = null;

  /** What commands of this bench remember on disk. */
  kept(): string {
    const place = join(this.folder, 'state');
    if (!existsSync(place)) return '';
    return readdirSync(place, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
      .join('\n');
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  run(...argv: string[]): Running {
    const controller = new AbortController();
    const texts = { out: '', error: '' };
    const stdin = new PassThrough();
    const began = Date.now();
    const { says } = this;
    const ended = main(argv, {
      env: this.env,
      stdin,
      out: (text) => {
        texts.out += text;
      },
      error: (text) => {
        texts.error += text;
      },
      stop: controller.signal,
      now: () => began + (Date.now() - began) * FASTER,
      sleep: async (ms, stop) => {
        if (!stop.aborted) await pause(ms / FASTER, undefined, { signal: stop }).catch(() => undefined);
      },
      random: () => 0.5,
      ask: says === null ? null : async () => says,
      isTerminal: false,
    });
    const running: Running = {
      told: () => texts.error,
      out: () => texts.out,
      stdin,
      stop: () => {
        controller.abort();
        return ended;
      },
      ended,
    };
    this.#running.add(running);
    return running;
  }

  /** The usual words of `tail` for files of this folder. */
  tail(...words: string[]): Running {
    const files = words.map((word) =>
      word.startsWith('-') || !/\.log|\*/.test(word) ? word : this.path(word),
    );
    return this.run('tail', ...files, '--to', this.service.address, '--host', 'a.example');
  }

  import(...words: string[]): Running {
    const files = words.map((word) =>
      word.startsWith('-') || !/\.log|\*/.test(word) ? word : this.path(word),
    );
    return this.run('import', ...files, '--to', this.service.address, '--host', 'a.example');
  }

  async dispose(): Promise<void> {
    await Promise.allSettled([...this.#running].map((running) => running.stop()));
    await this.service.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** @param second of the day */
export function line(
  second: number,
  { agent = 'GPTBot/1.3', path = '/', referer = '-', ip = '203.0.113.9' } = {},
): string {
  const time = new Date(second * 1000).toISOString().slice(11, 19);
  return `${ip} - - [22/Nov/2026:${time} +0000] "GET ${path} HTTP/1.1" 200 612 "${referer}" "${agent}"\n`;
}

export const PERSON =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36';

export const lines = (from: number, count: number, options: Parameters<typeof line>[1] = {}): string =>
  Array.from({ length: count }, (_, index) =>
    line(from + index, { path: `/${from + index}`, ...options }),
  ).join('');
