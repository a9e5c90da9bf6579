/** One type for all platforms: what the register holds, and what everything outside this room works with. */
import type { Destination, Limits, Poll } from './port.ts';

/** The members of a destination that take its config. */
type OfConfig = 'consent' | 'limits' | 'map' | 'build' | 'classify' | 'poll' | 'buildTest';

/**
 * A destination whose `Config` is its own business. Every function takes the stored config, or what `config` parsed it to; it is read
 * once per object. A config that does not fit the schema any more throws: it was checked when it was stored.
 */
export interface AnyDestination
  extends Omit<Destination<unknown>, OfConfig>,
    Pick<Destination<unknown>, 'map' | 'build' | 'classify' | 'buildTest'> {
  /** For people who have not chosen a config yet. */
  readonly consentKind: 'advertising' | 'analytics' | 'configurable';
  consent(config: unknown): 'advertising' | 'analytics' | 'none';
  limits(config: unknown): Limits;
  /** With the config's defaults. */
  usualLimits(): Limits;
  readonly poll?: Omit<Poll, 'build'> & {
    build(ref: string, config: unknown, auth: Parameters<Poll['build']>[2]): ReturnType<Poll['build']>;
  };
}

/** What is listed in the register. */
export function define<Config>(destination: Destination<Config>): AnyDestination {
  const { consent, limits, poll } = destination;
  const parsed = new WeakMap<object, Config>();
  const read = (config: unknown): Config => {
    const isObject = typeof config === 'object' && config !== null;
    const known = isObject ? parsed.get(config) : undefined;
    if (known !== undefined) return known;
    const result = destination.config.parse(config) as Config;
    if (isObject) parsed.set(config, result);
    return result;
  };
  return {
    ...destination,
    consentKind: typeof consent === 'function' ? 'configurable' : consent,
    consent: (config) => (typeof consent === 'function' ? consent(read(config)) : consent),
    limits: (config) => (typeof limits === 'function' ? limits(read(config)) : limits),
    usualLimits: () =>
      typeof limits === 'function' ? limits(destination.config.partial().parse({}) as Config) : limits,
    map: (conversion, context, config, name) => destination.map(conversion, context, read(config), name),
    build: (events, config, auth) => destination.build(events, read(config), auth),
    classify: (response, events, config) => destination.classify(response, events, read(config)),
    buildTest: (event, config, auth, code) => destination.buildTest(event, read(config), auth, code),
    ...(poll === undefined
      ? {}
      : { poll: { ...poll, build: (ref, config, auth) => poll.build(ref, read(config) as never, auth) } }),
  };
}
