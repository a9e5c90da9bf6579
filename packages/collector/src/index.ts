/** The package's door: a Worker to deploy as it is, and `withGhostlight` for a zone that has one. The isolate's memory is made here. */
import { isbot } from 'isbot';
import { createForwarder } from './forward/index.ts';
import { createLists } from './lists/index.ts';
import { createLog } from './log.ts';
import { createManifestHost } from './manifest/index.ts';
import { createObserver } from './observe/index.ts';
import { type CollectorEnv, openEdgeCache, type WorkerContext } from './platform.ts';
import { createSettingsReader } from './settings/index.ts';
import { createSignatureVerifier } from './signature/index.ts';
import { wrapWith } from './with-ghostlight.ts';
import { createCollector } from './worker.ts';

export type { CollectorEnv, KvNamespace, WorkerContext } from './platform.ts';
export { WORKER_VERSION } from './version.ts';

// biome-ignore lint/suspicious/noConsole: the platform's log is its console, and this is the one place that writes there.
const log = createLog((line) => console.log(line));
const deps = {
  // The platform's own, as a function of its own: it must not be called as a member of another object.
  fetch: ((input, init) => fetch(input, init)) as typeof fetch,
  openCache: openEdgeCache,
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds)),
  isBot: (userAgent: string) => isbot(userAgent),
  log,
};
const collector = createCollector({
  settingsOf: createSettingsReader(log),
  manifest: createManifestHost(deps),
  observer: createObserver({
    ...deps,
    lists: createLists(deps),
    signatures: createSignatureVerifier(deps),
    forwarder: createForwarder(deps),
  }),
  log,
});

/** Puts the collector around an existing Worker, an object of handlers or a `WorkerEntrypoint` class: `export default withGhostlight(worker)`. */
export const withGhostlight = wrapWith(collector);

/** The Worker on its own: every request goes to the origin. */
export default {
  fetch(request: Request, env: CollectorEnv, ctx: WorkerContext): Promise<Response> {
    // Should all else fail, and even the guards, the platform asks the origin itself. Not every context has it: a caller's own may not.
    ctx.passThroughOnException?.();
    return collector.handle(request, env, ctx, () => fetch(request));
  },
};
