/** For tests: a watcher with lists of the test's, whose lines are kept instead of sent. */
import { type BotLists, compileLists } from '@ghostlight/core';
import { isbot } from 'isbot';
import type { SignatureVerifier } from '../../../collector/src/signature/index.ts';
import type { DebugEvent, GhostlightOptions } from '../api.ts';
import type { Incoming } from '../incoming.ts';
import type { Ending } from '../line.ts';
import type { Lists } from '../lists.ts';
import { createOrdinary } from '../ordinary.ts';
import { readSettings } from '../settings.ts';
import { Shipper } from '../shipper.ts';
import { Watcher } from '../watcher.ts';
import { ATTRIBUTION_ID, KEY, SERVICE, TestReceiver, TestWorld } from './world.ts';

export type Line = Readonly<Record<string, unknown>>;

export interface Watching {
  readonly watcher: Watcher;
  readonly said: readonly string[];
  readonly events: readonly DebugEvent[];
  /** The line that a request becomes; null: it is counted, or nothing. */
  reportOf(incoming: Incoming, ending?: Ending): Promise<Line | null>;
  /** How many of other traffic were counted since the last call, by kind. */
  counted(): Promise<Line[]>;
}

export function startWatching(
  published: BotLists,
  options: Partial<GhostlightOptions> = {},
  signatures: SignatureVerifier = { verify: async () => ({ outcome: 'absent', reason: 'none' }) },
): Watching {
  const { settings, problems } = readSettings({
    ...{ url: SERVICE, key: KEY, attributionId: ATTRIBUTION_ID, sampleRate: 0, ...options },
  });
  if (settings === null) throw new Error(problems.join(' '));
  const world = new TestWorld();
  const receiver = new TestReceiver();
  const said: string[] = [];
  const events: DebugEvent[] = [];
  const inUse = { compiled: compileLists(published), origin: 'served' } as const;
  const lists: Lists = { current: () => inUse, areExpected: () => false, renewed: async () => inUse };
  const deps = {
    ...{ now: world.now, random: world.random, later: world.later, fetch: receiver.fetch },
    say: (sentence: string) => void said.push(sentence),
    debug: (event: DebugEvent) => void events.push(event),
  };
  const shipper = new Shipper({ ...deps, url: SERVICE, key: KEY, maxQueue: settings.maxQueue });
  const ordinary = createOrdinary(isbot);
  const watcher = new Watcher({ ...deps, settings, lists, signatures, ordinary, shipper, isBot: isbot });
  const sent = async (): Promise<Line[]> => {
    receiver.posts.length = 0;
    await shipper.drain();
    return receiver.lines();
  };
  return {
    ...{ watcher, said, events },
    async reportOf(incoming, ending = { status: 200, bytes: 0 }) {
      const sighting = watcher.look(incoming);
      if (sighting === null || !(await watcher.report(sighting, ending))) return null;
      return (await sent()).find((line) => !('counted' in line)) ?? null;
    },
    counted: async () =>
      (await sent()).flatMap(({ counted }) => (counted === undefined ? [] : [counted as Line])),
  };
}
