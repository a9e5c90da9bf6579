/**
 * Whether the service answers, for the whole tab. Each call reports what it met; while nothing answers, one small request every few seconds
 * asks again. Changes that met silence wait here, until the service is back or the person gives up waiting.
 */
export interface ConnectionState {
  /** Since when nothing answers, epoch milliseconds; null: the service answers. */
  readonly awaySince: number | null;
  /** When the service last answered, epoch milliseconds; null: not yet. */
  readonly answeredAt: number | null;
  /** How many changes wait to be sent again. */
  readonly kept: number;
}

export interface Connection {
  /** The same object until something changes. */
  state(): ConnectionState;
  subscribe(listener: () => void): () => void;
  /** Called after each return. */
  onReturn(listener: () => void): () => void;
  /** The service answered, whatever it said. */
  noteAnswer(): void;
  /** A request met silence. A second one, to another address, decides whether the service is down. */
  noteSilence(): void;
  /** Holds a change until the service is back. @returns false: it is not held, or was given back */
  untilBack(): Promise<boolean>;
  /** Ends the waiting of all changes: each is given back to its form. */
  giveBack(): void;
  /** While a person can see that changes wait; otherwise none is held. */
  watch(): () => void;
}

export interface ConnectionPorts {
  /** Whether the service answers. Never throws. */
  probe(): Promise<boolean>;
  now(): number;
  /** @returns cancels it */
  later(ms: number, run: () => void): () => void;
}

const PROBE_MS = 2_000;
const MAX_KEPT = 20;

export function createConnection({ probe, now, later }: ConnectionPorts): Connection {
  let state: ConnectionState = { awaySince: null, answeredAt: null, kept: 0 };
  let probing = false;
  let watchers = 0;
  let cancelNext = () => {};
  const listeners = new Set<() => void>();
  const returns = new Set<() => void>();
  const waiting = new Set<(isBack: boolean) => void>();

  const change = (next: Partial<ConnectionState>) => {
    state = { ...state, ...next };
    for (const listener of listeners) listener();
  };
  const settle = (isBack: boolean) => {
    const all = [...waiting];
    waiting.clear();
    if (state.kept > 0) change({ kept: 0 });
    for (const end of all) end(isBack);
  };
  const check = async () => {
    if (probing) return;
    probing = true;
    cancelNext();
    const answers = await probe();
    probing = false;
    if (answers) return noteAnswer();
    if (state.awaySince === null) change({ awaySince: now() });
    cancelNext = later(PROBE_MS, () => void check());
  };
  const noteAnswer = () => {
    cancelNext();
    const wasAway = state.awaySince !== null;
    // Every call reports: only what is shown is worth a rendering.
    if (wasAway) change({ awaySince: null, answeredAt: now() });
    else state = { ...state, answeredAt: now() };
    settle(true);
    if (wasAway) for (const listener of returns) listener();
  };

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onReturn(listener) {
      returns.add(listener);
      return () => returns.delete(listener);
    },
    noteAnswer,
    noteSilence: () => void check(),
    async untilBack() {
      if (watchers === 0 || waiting.size >= MAX_KEPT) return false;
      const { promise, resolve } = Promise.withResolvers<boolean>();
      waiting.add(resolve);
      change({ kept: waiting.size });
      void check();
      return await promise;
    },
    giveBack: () => settle(false),
    watch() {
      watchers += 1;
      return () => {
        watchers -= 1;
        if (watchers === 0) settle(false);
      };
    },
  };
}

const PATIENCE_MS = 4_000;

/** The tab's. */
export const connection = createConnection({
  probe: () =>
    fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(PATIENCE_MS) }).then(
      ({ ok }) => ok,
      () => false,
    ),
  now: Date.now,
  later: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
});
