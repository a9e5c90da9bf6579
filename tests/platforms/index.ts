/** Every platform at once, each on a port of its own. */
import type { Fake, FakeOptions } from './fake.ts';
import { createGa4 } from './ga4.ts';
import { createGoogle } from './google.ts';
import { createLinkedIn } from './linkedin.ts';
import { createMeta } from './meta.ts';
import { createMicrosoft } from './microsoft.ts';
import { createOpenAi } from './openai.ts';
import { createPinterest } from './pinterest.ts';
import { createReddit } from './reddit.ts';
import { type Platform, startPlatform } from './server.ts';
import { createSnap } from './snap.ts';
import { createTikTok } from './tiktok.ts';
import { createWebhook } from './webhook.ts';

/** Without a network: each answers requests by itself. */
export function fakes(options: FakeOptions) {
  return {
    meta: createMeta(options),
    google_ads: createGoogle(options),
    ga4: createGa4(options),
    tiktok: createTikTok(options),
    linkedin: createLinkedIn(options),
    microsoft: createMicrosoft(options),
    pinterest: createPinterest(options),
    snap: createSnap(options),
    reddit: createReddit(options),
    openai: createOpenAi(options),
    webhook: createWebhook(options),
  };
}

type Fakes = ReturnType<typeof fakes>;
export type PlatformName = keyof Fakes;

export interface Platforms {
  readonly of: { readonly [Name in PlatformName]: Platform<Fakes[Name]> };
  readonly all: readonly Platform<Fake>[];
  /** `DESTINATION_HOSTS`: host → base URL. */
  readonly hosts: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

export async function startPlatforms(options: FakeOptions = {}): Promise<Platforms> {
  const started = await Promise.all(
    Object.entries(fakes(options)).map(
      async ([name, fake]) => [name, await startPlatform<Fake>(fake)] as const,
    ),
  );
  const all = started.map(([, platform]) => platform);
  const hosts = Object.fromEntries(
    all.flatMap(({ fake, address }) => fake.hosts.map((host) => [host, address])),
  );
  return {
    of: Object.fromEntries(started) as unknown as Platforms['of'],
    all,
    hosts,
    stop: async () => void (await Promise.all(all.map((platform) => platform.stop()))),
  };
}
