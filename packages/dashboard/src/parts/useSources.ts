/** The log sources that the service takes. The routes that need a session load them first; they never change while a service runs. */
import { useQueryClient } from '@tanstack/react-query';
import { queries } from '../api/queries.ts';
import type { LogSource } from '../api/types.ts';
import { sourceName } from '../format/names.ts';

const NONE: readonly LogSource[] = [];

/** In the order in which they are offered. Read once, so that hundreds of rows may ask. */
export function useSources(): readonly LogSource[] {
  return useQueryClient().getQueryData(queries.sources().queryKey) ?? NONE;
}

/** A source's name for people; one that isn't known is shown as it came. */
export function useSourceName(): (source: string) => string {
  const sources = useSources();
  return (source) => sourceName(source, sources);
}
