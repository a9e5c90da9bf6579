/**
 * The real service as a child process, as a user runs it: a free port, a data directory of its own, killed and started again at will. For
 * every test that wants the whole thing.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  offerWarehouse,
  SERVICE_RETENTION_DAYS,
} from '../../packages/server/src/warehouse/testing/warehouse.ts';

const LAUNCHER = fileURLToPath(new URL('../../packages/server/bin/ghostlight.js', import.meta.url));
export const ADMIN_TOKEN = 'harness-admin-token-0123456789';
/** They end what hangs: a start takes two seconds, and a minute where thirty processes want the machine. The demo writes 90 days of history first. */
const START_TIMEOUT_MS = { serve: 180_000, demo: 240_000 } as const;
const COMMAND_TIMEOUT_MS = 180_000;

export interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

export interface Answer {
  status: number;
  headers: Headers;
  /** Parsed when the answer is JSON, else the text. */
  body: unknown;
}

export class TestService {
  readonly dataDir: string;
  readonly #isKept: boolean;
  readonly #environment: Record<string, string>;
  readonly #command: 'serve' | 'demo';
  #child: ChildProcess | null = null;
  #log: string[] = [];
  address = '';

  /**
   * @param environment over the harness's own settings; an empty value unsets one
   * @param dataDir one that is there and stays; default: a new one, removed with the service
   */
  constructor(
    environment: Record<string, string> = {},
    command: 'serve' | 'demo' = 'serve',
    dataDir: string | null = null,
  ) {
    this.#environment = environment;
    this.#command = command;
    this.#isKept = dataDir !== null;
    this.dataDir = dataDir ?? mkdtempSync(join(tmpdir(), 'ghostlight-test-'));
    if (command === 'serve' && !this.#isKept) offerWarehouse(this.dataDir, SERVICE_RETENTION_DAYS);
  }

  /** Where this service keeps its files: the demo has a directory of its own inside the data directory. */
  get home(): string {
    return this.#command === 'demo' ? join(this.dataDir, 'demo') : this.dataDir;
  }

  /** Everything the service wrote, over all its lives. */
  get log(): string {
    return this.#log.join('');
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** Whether the process that was started last still runs. */
  get alive(): boolean {
    return this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** The warehouse child's process id, as the service last announced it; 0 before the first. */
  get warehousePid(): number {
    return Number(
      this.log
        .matchAll(/"room":"warehouse","pid":(\d+)/g)
        .toArray()
        .at(-1)?.[1] ?? 0,
    );
  }

  /** Sends the warehouse child a signal while the service lives. False when there is none just now. */
  signalWarehouse(signal: NodeJS.Signals): boolean {
    const pid = this.warehousePid;
    try {
      return pid !== 0 && process.kill(pid, signal);
    } catch {
      return false;
    }
  }

  /** Starts the process and waits until it announces its address. */
  async start(): Promise<this> {
    rmSync(join(this.home, 'service.json'), { force: true });
    const child = spawn(process.execPath, [LAUNCHER, this.#command], {
      env: this.#settings(),
      cwd: this.dataDir,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => this.#log.push(text));
    }
    const limit = START_TIMEOUT_MS[this.#command];
    const deadline = Date.now() + limit;
    while (Date.now() < deadline) {
      if (child.exitCode !== null || child.signalCode !== null) {
        throw new Error(
          `the service ended at its start (${child.exitCode ?? child.signalCode}):\n${this.log}`,
        );
      }
      const address = this.#announcedAddress();
      if (address !== null) {
        this.address = address;
        return this;
      }
      await sleep(25);
    }
    throw new Error(`the service did not start within ${limit} ms:\n${this.log}`);
  }

  /** Ends the process with a signal and waits for it. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | NodeJS.Signals | null> {
    const child = this.#child;
    if (child === null) return null;
    this.#child = null;
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode ?? child.signalCode;
    const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
      child.once('exit', (code, how) => resolve(code ?? how));
    });
    child.kill(signal);
    return await ended;
  }

  /** Stops the service if it runs and removes its data, unless the folder was given. */
  async dispose(): Promise<void> {
    // A stopped warehouse child would never notice that its parent is gone.
    this.signalWarehouse('SIGCONT');
    await this.stop(this.#isKept ? 'SIGTERM' : 'SIGKILL');
    if (this.#isKept) return;
    // The warehouse child notices its parent's death a moment later and may still be writing.
    rmSync(this.dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }

  /** Runs a command of the command line on this data directory, whether the service runs or not. */
  async run(words: readonly string[], environment: Record<string, string> = {}): Promise<CommandResult> {
    return await new Promise((resolve) => {
      execFile(
        process.execPath,
        [LAUNCHER, ...words],
        {
          env: { ...this.#settings(), ...environment },
          cwd: this.dataDir,
          timeout: COMMAND_TIMEOUT_MS,
        },
        (error, stdout, stderr) => {
          resolve({ code: error === null ? 0 : Number(error.code ?? -1), stdout, stderr });
        },
      );
    });
  }

  /** A call of the management API with the admin token. */
  async api(method: string, path: string, body?: unknown): Promise<Answer> {
    return await this.call(method, path, {
      headers: { Authorization: `Bearer ${ADMIN_TOKEN}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  async call(method: string, path: string, init: RequestInit = {}): Promise<Answer> {
    const response = await fetch(`${this.address}${path}`, { redirect: 'manual', ...init, method });
    const text = await response.text();
    const json = /[/+]json/.test(response.headers.get('content-type') ?? '');
    return {
      status: response.status,
      headers: response.headers,
      body: json && text !== '' ? JSON.parse(text) : text,
    };
  }

  /** A property and an ingest key, as the setup page would make them. */
  async property(
    name = 'Shop',
    domain = 'shop.example',
  ): Promise<{ id: string; key: string; keyId: string }> {
    const property = await this.api('POST', '/api/v1/properties', { name, domain });
    if (property.status !== 201)
      throw new Error(`property: ${property.status} ${JSON.stringify(property.body)}`);
    const { id } = property.body as { id: string };
    const key = await this.api('POST', '/api/v1/ingest-keys', {
      name,
      provider: 'edge_worker',
      attribution_id: id,
    });
    if (key.status !== 201) throw new Error(`key: ${key.status} ${JSON.stringify(key.body)}`);
    const issued = key.body as { id: string; key: string };
    return { id, key: issued.key, keyId: issued.id };
  }

  /** Posts worker hits. */
  async hits(key: string, hits: unknown): Promise<Answer> {
    return await this.call('POST', '/v1/logs/edge_worker', {
      headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
      body: JSON.stringify(hits),
    });
  }

  /** Prometheus samples: `name{labels}` → value. */
  async metrics(): Promise<Map<string, number>> {
    const { body } = await this.call('GET', '/metrics');
    const samples = String(body)
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    return new Map(
      samples.map((line) => [
        line.slice(0, line.lastIndexOf(' ')),
        Number(line.slice(line.lastIndexOf(' ') + 1)),
      ]),
    );
  }

  #settings(): Record<string, string> {
    return {
      PATH: process.env['PATH'] ?? '',
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: this.dataDir,
      ADMIN_TOKEN,
      LISTS_REFRESH: 'off',
      ...this.#environment,
    };
  }

  #announcedAddress(): string | null {
    try {
      return (JSON.parse(readFileSync(join(this.home, 'service.json'), 'utf8')) as { address: string })
        .address;
    } catch {
      return null;
    }
  }
}

/** A hit as the collector posts it, verified with ranges of its day; GPTBot by default. */
export function workerHit(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  const timestamp = typeof overrides['timestamp'] === 'number' ? overrides['timestamp'] : Date.now();
  return {
    timestamp,
    worker_version: '0.5.0',
    host: 'shop.example',
    method: 'GET',
    pathname: '/products/lamp',
    query_params: {},
    ip: null,
    user_agent:
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
    referer: '',
    status: 200,
    bytes: 18_423,
    country: 'US',
    asn: 8075,
    verified: true,
    verified_by: 'edge_cidr',
    ranges_as_of: new Date(timestamp).toISOString().slice(0, 10),
    ...overrides,
  };
}
