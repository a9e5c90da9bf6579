/** The log sources of the service. The routes that use them load them first (shell/router.tsx); they don't change while a service runs. */
import { useQueryClient } from '@tanstack/react-query';
import { queries } from '../api/queries.ts';
import type { LogSource } from '../api/types.ts';
import { sourceName } from '../format/names.ts';

const NONE: readonly LogSource[] = [];

/** In the order of the register. Read from the cache, so that every row can use it. */
export function useSources(): readonly LogSource[] {
  return useQueryClient().getQueryData(queries.sources().queryKey) ?? NONE;
}

/** A source's title; an unknown name is shown as received. */
export function useSourceName(): (source: string) => string {
  const sources = useSources();
  return (source) => sourceName(source, sources);
}

const GROUP_TITLES: Readonly<Record<LogSource['group'], string>> = {
  edge: 'CDN and edge',
  server: 'Web servers',
  shipper: 'Log shippers',
  application: 'Applications',
  import: 'Import',
};

export interface SourceGroup {
  readonly title: string;
  readonly sources: readonly LogSource[];
}

/** Sources by group, empty groups left out. A group of a newer service comes last, under its own name. */
export function groupsOf(sources: readonly LogSource[]): SourceGroup[] {
  const titles: Readonly<Record<string, string>> = GROUP_TITLES;
  const known = Object.keys(titles);
  const rank = (group: string) => (known.includes(group) ? known.indexOf(group) : known.length);
  return [...Map.groupBy(sources, ({ group }) => group)]
    .sort(([a], [b]) => rank(a) - rank(b))
    .map(([group, own]) => ({ title: titles[group] ?? group, sources: own }));
}
