/** What the service and the documentation know of what was typed. Asked a moment after the last letter; a new letter ends the question. */
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { type Answer, get } from '../../api/client.ts';
import { type DocHit, type DocSection, loadDocs, searchDocs } from '../../features/docs/search.ts';
import { useProperty } from '../../features/property/useProperty.ts';
import { useCarriedOver } from '../../features/reports/carried.ts';
import type { Entry } from './entries.tsx';
import { piecesOf } from './offered.ts';

/** The service refuses shorter and longer ones. */
const LENGTH = { min: 2, max: 200 } as const;
const PAUSE_MS = 160;
const FRESH_MS = 30_000;
const MOST_DOCS = 5;

export interface Found {
  readonly entries: readonly Entry[];
  /** The answer to the latest text is still on its way. */
  readonly isWaiting: boolean;
  /** The service could not search, or only a part. */
  readonly isIncomplete: boolean;
}

export function useFound(typed: string): Found {
  const property = useProperty();
  const text = useSettled(typed.trim());
  const isLongEnough = text.length >= LENGTH.min && text.length <= LENGTH.max;
  const { data, isFetching, isError } = useQuery({
    queryKey: ['search', property?.id, text],
    queryFn: ({ signal }) =>
      get('/api/v1/properties/{id}/search', {
        params: { id: property?.id ?? '' },
        query: { q: text },
        signal,
      }),
    enabled: property !== null && isLongEnough,
    staleTime: FRESH_MS,
    gcTime: FRESH_MS,
    retry: false,
  });
  const docs = useQuery({
    queryKey: ['docs'],
    queryFn: loadDocs,
    enabled: isLongEnough,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const toEntries = useEntriesOf(property?.id ?? '', property?.domain);
  return {
    entries: [
      ...(data === undefined ? [] : toEntries(data)),
      ...titled(searchDocs(guides(docs.data ?? []), isLongEnough ? text : '', MOST_DOCS), text).map(
        ({ href, heading, page, snippet }): Entry => ({
          ...{ kind: 'docs', value: `docs ${href}`, href, beside: true },
          // The document leads: a heading alone, such as "Limits", does not say of what, and a document may be named as a page.
          text: heading,
          parent: page === '' ? 'Docs' : page,
          // What the snippet has not, the section has: it was found.
          words: `${page} ${snippet} ${text}`,
        }),
      ),
    ],
    isWaiting: typed.trim() !== text || isFetching,
    isIncomplete: isError || (data?.incomplete.length ?? 0) > 0,
  };
}

/** Sections that say the words in their heading, or, where none does, those that have them somewhere. */
function titled(found: readonly DocHit[], text: string): readonly DocHit[] {
  const some = found.filter(({ heading }) => piecesOf(heading, text).some(({ isMatch }) => isMatch));
  return some.length > 0 ? some : found;
}

/** Decisions are for who develops the product: the docs' own search has them. */
const guides = (sections: readonly DocSection[]): DocSection[] =>
  sections.filter(({ path }) => !path.startsWith('decisions'));

type Results = Answer<'GET /api/v1/properties/{id}/search'>;

function useEntriesOf(id: string, domain: string | undefined): (results: Results) => Entry[] {
  const router = useRouter();
  const carriedOver = useCarriedOver();
  const within = (page: string, search: object) =>
    router.buildLocation({ to: `/p/$propertyId/${page}`, params: { propertyId: id }, search } as never).href;
  return ({ bots, paths, conversions, deliveries, destinations }) => [
    ...bots.map(
      ({ bot, vendor }): Entry => ({
        ...{ kind: 'bot', value: `bot ${vendor} ${bot}`, text: bot, detail: vendor },
        href: within('bots', { ...carriedOver('bots'), bot }),
      }),
    ),
    ...paths.map(
      ({ host, path }): Entry => ({
        ...{ kind: 'path', value: `path ${host} ${path}`, text: path },
        // On every row the property's own would say nothing.
        ...(host === domain ? { words: host } : { detail: host }),
        href: within('pages', { ...carriedOver('pages'), path: undefined, page: path, host }),
      }),
    ),
    ...conversions.map(
      ({ id: open, conversion_id: name, topic, value, currency }): Entry => ({
        ...{ kind: 'conversion', value: `conversion ${open}`, text: name, words: `${open} order` },
        detail: value === null ? topic : `${topic}, ${value} ${currency ?? ''}`,
        href: within('conversions', { ...carriedOver('conversions'), open }),
      }),
    ),
    ...deliveries.map(
      ({ id: open, conversion_id: name, destination, status }): Entry => ({
        ...{ kind: 'delivery', value: `delivery ${open}`, text: name, words: open },
        detail: `${destination}, ${status}`,
        href: within('deliveries', { ...carriedOver('deliveries'), open }),
      }),
    ),
    ...destinations.map(
      ({ id: destination, name, platform }): Entry => ({
        ...{ kind: 'destination', value: `destination ${destination}`, text: name, detail: platform },
        href: within(`destinations/${destination}`, {}),
      }),
    ),
  ];
}

/** The text after a pause in typing. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
