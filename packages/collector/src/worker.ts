/** What happens to every request of the zone, as a list. Whatever fails in here, the site answers as if the collector were not there. */
import { MANIFEST_PATH, type ManifestHost } from './manifest/index.ts';
import type { Observer, Sighting } from './observe/index.ts';
import type { CollectorEnv, WorkerContext } from './platform.ts';
import type { Settings } from './settings/index.ts';

export interface CollectorDeps {
  readonly settingsOf: (env: CollectorEnv) => Settings;
  readonly manifest: ManifestHost;
  readonly observer: Observer;
  readonly log: (sentence: string) => void;
}

export interface Collector {
  /**
   * @param answer the site's own answer; called exactly once, unless the manifest is the answer
   * @returns the very response that `answer` gave: not a copy, and nothing of it is changed or awaited
   * @throws what `answer` throws
   */
  handle(
    request: Request,
    env: CollectorEnv,
    ctx: WorkerContext,
    answer: () => Response | Promise<Response>,
  ): Promise<Response>;
}

export function createCollector({ settingsOf, manifest, observer, log }: CollectorDeps): Collector {
  const guard = <T>(part: string, run: () => T): T | null => {
    try {
      return run();
    } catch (error) {
      log(
        `${part} failed (${error instanceof Error ? error.name : 'unknown error'}); the site is served as usual.`,
      );
      return null;
    }
  };

  /** The manifest was requested: the manifest's handler answers, or none of ours does. */
  async function manifestFor(
    request: Request,
    { manifest: source }: Settings,
    { WEBMCP_CACHE: kv }: CollectorEnv,
    ctx: WorkerContext,
  ): Promise<Response | null> {
    return source === null ? null : await manifest.respond(request, source, kv, ctx).catch(() => null);
  }

  return {
    async handle(request, env, ctx, answer) {
      const met = guard('reading the settings', () => ({
        url: new URL(request.url),
        settings: settingsOf(env),
      }));
      if (met === null) return answer();
      const { url, settings } = met;
      if (settings.ownHosts.has(url.host)) {
        log(`requests to ${url.host} are passed on and not counted: it is the host of the service itself.`);
        return answer();
      }
      const ours = url.pathname === MANIFEST_PATH ? await manifestFor(request, settings, env, ctx) : null;
      // Asked first, looked at while it works: measured, the look takes a warm isolate about 0.1 ms.
      const answering = ours ?? answer();
      const { forwarding } = settings;
      const sighting =
        forwarding === null
          ? null
          : guard<Sighting | null>('observing', () => observer.look(request, url, forwarding, ctx));
      const response = await answering;
      if (sighting !== null) guard('reporting', () => observer.report(sighting, response, ctx));
      return response;
    },
  };
}
