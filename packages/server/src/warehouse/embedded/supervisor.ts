/** Keeps the child process alive: start, readiness, restart with back-off, orderly stop. */
import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { totalmem } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { MINUTE_MS } from '@ghostlight/core/time';
import type { Log } from '../../common/index.ts';
import type { ChildMessage, FailureKind, ParentMessage } from './protocol.ts';

export interface EmbeddedOptions {
  /** Absolute path of the store; one process at a time. */
  readonly directory: string;
  readonly log: Log;
  /** Engine memory, bytes. Default: a quarter of the machine's, between 512 MiB and 4 GiB. */
  readonly memoryBytes?: number;
  readonly backupsDirectory?: string | null;
  /** Milliseconds; doubled after each quick crash, up to the maximum, and reset once the child has lived `healthyAfter`. */
  readonly backoff?: { readonly first: number; readonly maximum: number; readonly healthyAfter: number };
}

export interface Endpoint {
  readonly url: string;
  /** Null: whatever the URL says. */
  readonly password: string | null;
}

export interface EmbeddedEngine {
  /** Where the engine listens now; null while it is down. A new object after each start. */
  endpoint(): Endpoint | null;
  /** The child's process id; null while it is down. */
  pid(): number | null;
  /** Ends the child in order: running statements finish (10 s), then it is killed. */
  stop(): Promise<void>;
}

export class EmbeddedEngineError extends Error {
  readonly kind: FailureKind;
  constructor(kind: FailureKind, message: string) {
    super(message);
    this.name = 'EmbeddedEngineError';
    this.kind = kind;
  }
}

const START_TIMEOUT_MS = MINUTE_MS;
const STOP_TIMEOUT_MS = 10_000;
const DEFAULT_BACKOFF = { first: 100, maximum: 10_000, healthyAfter: 30_000 };
/** For how long a first start waits for another process that has the directory, and how often it asks. */
const HELD_WAIT_MS = 5_000;
const HELD_POLL_MS = 500;
const MIB = 1024 * 1024;

interface Running {
  readonly process: ChildProcess;
  readonly endpoint: Endpoint;
}

/** @throws EmbeddedEngineError when the first start fails, with a sentence for the person who started it */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedEngine> {
  const { log, backoff = DEFAULT_BACKOFF } = options;
  let running: Running | null = null;
  let stopping = false;
  let delay = backoff.first;
  let retry: NodeJS.Timeout | undefined;
  let starting: Promise<void> = Promise.resolve();

  const begin = async () => {
    const started = await launch(options);
    if (stopping) return void started.process.kill('SIGKILL');
    running = started;
    const since = performance.now();
    const ended = (code: number | null, signal: NodeJS.Signals | null) => {
      if (running === started) running = null;
      if (stopping) return;
      if (performance.now() - since > backoff.healthyAfter) delay = backoff.first;
      log.error({ code, signal, retryInMs: delay }, 'the embedded warehouse ended; it will be started again');
      again();
    };
    // It may have ended between its readiness and this line.
    if (started.process.exitCode !== null || started.process.signalCode !== null) {
      ended(started.process.exitCode, started.process.signalCode);
    } else started.process.once('exit', ended);
  };
  const again = () => {
    retry = setTimeout(() => {
      starting = begin().catch((error: unknown) => {
        log.error({ err: error, retryInMs: delay }, 'the embedded warehouse did not start');
        if (!stopping) again();
      });
    }, delay);
    delay = Math.min(delay * 2, backoff.maximum);
  };

  await unlessHeld(begin, log);
  return {
    endpoint: () => running?.endpoint ?? null,
    pid: () => running?.process.pid ?? null,
    stop: async () => {
      stopping = true;
      clearTimeout(retry);
      await starting;
      if (running !== null) await end(running.process);
      running = null;
    },
  };
}

/**
 * The engine of a service that was killed ends by itself, but not at once: a start straight after it, as systemd makes one, waits for that.
 * @throws EmbeddedEngineError `in_use` when the directory is held for longer
 */
async function unlessHeld(begin: () => Promise<void>, log: Log): Promise<void> {
  const deadline = performance.now() + HELD_WAIT_MS;
  for (;;) {
    try {
      return await begin();
    } catch (error) {
      const isHeld = error instanceof EmbeddedEngineError && error.kind === 'in_use';
      if (!isHeld || performance.now() > deadline) throw error;
    }
    log.info({ retryInMs: HELD_POLL_MS }, 'the warehouse is in use by another process; waiting for its end');
    await sleep(HELD_POLL_MS);
  }
}

/** Starts one child and waits until it serves. */
function launch(options: EmbeddedOptions): Promise<Running> {
  const token = randomBytes(32).toString('base64url');
  const compiled = process.env['NODE_COMPILE_CACHE'];
  const child = fork(fileURLToPath(new URL('./child.ts', import.meta.url)), [], {
    execArgv: [],
    // Nothing of our environment: it holds secrets the engine has no use for. The thread pool runs the statements of all lanes. What Node
    // compiles it keeps where ours is: a quarter of the processor time of a start.
    env: {
      ...{ UV_THREADPOOL_SIZE: '16', TZ: 'UTC' },
      ...(compiled === undefined ? {} : { NODE_COMPILE_CACHE: compiled }),
    },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let complaints = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaints = (complaints + text).slice(-4096);
    options.log.debug({ text: text.slice(0, 1000) }, 'embedded warehouse');
  });
  return new Promise((resolve, reject) => {
    const fail = (kind: FailureKind, message: string) => {
      clearTimeout(timer);
      child.removeAllListeners();
      child.on('error', () => undefined);
      child.kill('SIGKILL');
      reject(explain(kind, message, options.directory, complaints));
    };
    const timer = setTimeout(
      () => fail('other', `it was not ready within ${START_TIMEOUT_MS / 1000} s`),
      START_TIMEOUT_MS,
    );
    child.once('error', (error) => fail('other', error.message));
    child.once('exit', (code, signal) => fail('other', `it ended with ${signal ?? code}`));
    child.on('message', (message: ChildMessage) => {
      if (message.type === 'failed') return fail(message.kind, message.message);
      clearTimeout(timer);
      child.removeAllListeners('exit');
      child.removeAllListeners('error');
      child.on('error', (error) => options.log.warn({ err: error }, 'embedded warehouse process'));
      options.log.info({ pid: child.pid, engine: message.version }, 'the embedded warehouse is ready');
      resolve({ process: child, endpoint: { url: `http://127.0.0.1:${message.port}`, password: token } });
    });
    const open: ParentMessage = {
      type: 'open',
      directory: options.directory,
      token,
      memoryBytes: options.memoryBytes ?? defaultMemory(),
      backupsDirectory: options.backupsDirectory ?? null,
    };
    child.send(open);
  });
}

function explain(
  kind: FailureKind,
  message: string,
  directory: string,
  complaints: string,
): EmbeddedEngineError {
  if (kind === 'unsupported_platform') {
    return new EmbeddedEngineError(
      kind,
      'The embedded warehouse runs on Linux with glibc or on macOS. On this platform set CLICKHOUSE_URL to a ClickHouse server.',
    );
  }
  // The lock's own words go to stderr; chDB's error does not carry them.
  if (kind === 'in_use' || /Cannot lock file/i.test(complaints)) {
    return new EmbeddedEngineError(
      'in_use',
      `The warehouse in ${directory} is in use by another process. Stop that one first, or set another DATA_DIR.`,
    );
  }
  return new EmbeddedEngineError('other', `The embedded warehouse could not be started: ${message}`);
}

async function end(child: ChildProcess): Promise<void> {
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  if (child.exitCode !== null || child.signalCode !== null) return;
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  if (child.connected) child.send({ type: 'close' } satisfies ParentMessage);
  else child.kill('SIGKILL');
  await ended;
  clearTimeout(timer);
}

const defaultMemory = () => Math.floor(Math.min(Math.max(totalmem() / 4, 512 * MIB), 4096 * MIB));
