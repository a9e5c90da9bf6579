/** What other rooms ask of the register: names, and what a hit's source is. */
import { SOURCES } from './register.ts';
import type { SourceAbout } from './source.ts';

const BY_NAME: ReadonlyMap<string, SourceAbout> = new Map(SOURCES.map(({ about }) => [about.name, about]));

export const SOURCE_NAMES: readonly string[] = [...BY_NAME.keys()];

/** The one that is meant where none is named. */
export const DEFAULT_SOURCE: SourceAbout = (SOURCES[0] as (typeof SOURCES)[number]).about;

/** Undefined: a source that this version does not know, or no log. */
export function aboutSource(name: string): SourceAbout | undefined {
  return BY_NAME.get(name);
}

/** Whether its hits come with samples of the other traffic and with the version of what sent them. */
export function isCollector(name: string): boolean {
  return BY_NAME.get(name)?.kind === 'collector';
}

/** The path of the endpoint that takes its logs. */
export function pathOf(name: string): string {
  return BY_NAME.get(name)?.path ?? `/v1/logs/${name}`;
}
