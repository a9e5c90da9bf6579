import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Property } from '../../api/types.ts';
import { countryName, intentName } from '../../format/names.ts';
import { readablePath, visible } from '../../format/visible.ts';
import { IconCross } from '../../parts/icons.tsx';
import { SearchField, useSlowText } from '../../parts/list/SearchField.tsx';
import { FilterSearch } from '../../parts/search/FilterSearch.tsx';
import { FilterSelect, Toolbar } from '../../parts/Toolbar.tsx';
import { CompanyMark } from '../marks/CompanyMark.tsx';
import { INTENTS, reportQuery } from './api.ts';
import { BotSearch } from './BotSearch.tsx';
import { PathFilter } from './PathFilter.tsx';
import { cleared, type FilterName, isFiltered } from './search.ts';
import type { ReportAddress } from './useReportSearch.ts';

export type Counts = 'hits' | 'bot_hits' | 'referrals';

/** The filters of a report, each with the values that occur under the others. A filter that is set but not offered is shown so that it can be removed. */
export function FilterBar({
  id,
  isOpen,
  property,
  address: { search, query, change },
  offers,
  held = [],
  counts = offers.includes('bot') || offers.includes('vendor') ? 'bot_hits' : 'hits',
  choice,
  findsBots = false,
  isNext,
}: {
  /** Of the toolbar, for the button that opens it on a phone. */
  id: string;
  /** Whether a phone shows those that are not set, too. */
  isOpen: boolean;
  property: Property;
  address: Pick<ReportAddress, 'search' | 'query' | 'change'>;
  offers: readonly FilterName[];
  /** Not offered, even where they are set, and not cleared. */
  held?: readonly FilterName[];
  /** What the report counts: a host or country that has none of it is not offered, since the report would be empty. */
  counts?: Counts | undefined;
  /** Before them. */
  choice?: ReactNode;
  /** What is searched for is a bot or a vendor; the path is a filter beside. */
  findsBots?: boolean | undefined;
  /** Whether the values are asked for now. */
  isNext: boolean;
}) {
  const { data } = useQuery({ ...reportQuery(property.id, 'filters', query), enabled: isNext });
  const hosts = data?.hosts.filter((host) => host[counts] > 0) ?? [];
  const countries = data?.countries.filter((country) => country[counts] > 0) ?? [];
  const [path, setPath] = useSlowText(search.path ?? '', (text) =>
    change({ path: text === '' ? undefined : text.startsWith('/') ? text : `/${text}` }),
  );
  const has = (name: FilterName) =>
    offers.includes(name) || (search[name] !== undefined && !held.includes(name));
  const listed = (values: readonly string[], chosen: string | undefined) =>
    chosen === undefined || values.includes(chosen) ? values : [chosen, ...values];
  const options = (values: readonly string[], chosen: string | undefined, name = (value: string) => value) =>
    listed(
      values.filter((value) => value !== ''),
      chosen,
    ).map((value) => [value, name(value)] as const);
  return (
    <Toolbar id={id} className="report-filters" isOpen={isOpen}>
      {choice}
      {findsBots && (
        <BotSearch
          bots={data?.bots ?? []}
          vendors={data?.vendors.map(({ vendor }) => vendor).filter((vendor) => vendor !== '') ?? []}
          onFound={change}
        />
      )}
      {has('path') && !findsBots && (
        <SearchField label="Path begins with" placeholder="Path begins with…" value={path} onText={setPath} />
      )}
      {has('vendor') && (
        <FilterSearch
          label="Vendor"
          plural="vendors"
          value={search.vendor}
          options={options(data?.vendors.map(({ vendor }) => vendor) ?? [], search.vendor)}
          counts={visitsBy(data?.vendors, ({ vendor }) => vendor, hitsOf)}
          // "All" is none: its name keeps the edge of the others.
          iconOf={(vendor) => (vendor === '' ? <span className="no-mark" /> : <CompanyMark of={vendor} />)}
          onChange={(vendor) => change({ vendor })}
        />
      )}
      {has('bot') && (
        <FilterSearch
          label="Bot"
          plural="bots"
          value={search.bot}
          options={options(data?.bots.map(({ bot }) => bot) ?? [], search.bot)}
          counts={visitsBy(data?.bots, ({ bot }) => bot, hitsOf)}
          onChange={(bot) => change({ bot })}
        />
      )}
      {has('intent') && (
        <FilterSelect
          label="Intent"
          value={search.intent}
          options={INTENTS.filter(
            (intent) =>
              intent === search.intent || data?.intents.some((one) => one.intent === intent) !== false,
          ).map((intent) => [intent, intentName(intent)])}
          onChange={(intent) => change({ intent })}
        />
      )}
      {has('verified') && (
        <FilterSelect
          label="Identity"
          value={search.verified}
          options={[
            ['true', '✓ Verified'],
            ['false', '✕ Spoofed'],
            ['unknown', '? Unknown'],
          ]}
          onChange={(verified) => change({ verified })}
        />
      )}
      {has('path') && findsBots && <PathFilter path={path} onPath={setPath} />}
      {has('country') && (
        <FilterSearch
          label="Country"
          plural="countries"
          value={search.country}
          options={options(
            countries.map(({ country }) => country),
            search.country,
            (code) => countryName(code) || code,
          )}
          counts={visitsBy(
            countries,
            ({ country }) => country,
            (row) => row[counts],
          )}
          onChange={(country) => change({ country })}
        />
      )}
      {/* Last, because whether there are several is known late: until then it has its place. */}
      {has('host') && search.host === undefined && data === undefined && (
        <select className="input select filter" aria-label="Host" data-set={false} disabled>
          <option>Host: all</option>
        </select>
      )}
      {has('host') && (hosts.length > 1 || search.host !== undefined) && (
        <FilterSearch
          label="Host"
          plural="hosts"
          value={search.host}
          options={options(
            hosts.map(({ host }) => host),
            search.host,
            visible,
          )}
          counts={visitsBy(
            hosts,
            ({ host }) => host,
            (row) => row[counts],
          )}
          onChange={(host) => change({ host })}
        />
      )}
      {search.page !== undefined && !held.includes('page') && (
        <button
          type="button"
          className="button"
          aria-label={`Page ${search.page}: remove this filter`}
          onClick={() => change({ page: undefined })}
        >
          <span className="chip-text mono">{readablePath(search.page)}</span>
          <IconCross />
        </button>
      )}
      {isFiltered(search, held) && (
        <button type="button" className="button button-plain" onClick={() => change(cleared(held))}>
          <IconCross />
          Clear
        </button>
      )}
    </Toolbar>
  );
}

const hitsOf = ({ hits }: { readonly hits: number }): number => hits;

/** Visits by the value of a filter. */
function visitsBy<Row>(
  rows: readonly Row[] | undefined,
  nameOf: (row: Row) => string,
  countOf: (row: Row) => number,
): ReadonlyMap<string, number> {
  const visits = new Map<string, number>();
  // A bot of two vendors has two rows.
  for (const row of rows ?? []) visits.set(nameOf(row), (visits.get(nameOf(row)) ?? 0) + countOf(row));
  return visits;
}
