/** The columns of the explorer. Which are shown is kept in the browser. */
import { type ReactNode, useState } from 'react';
import type { VisitItem } from '../../../api/schema.gen.ts';
import { Term } from '../../../features/glossary/Term.tsx';
import { OtherHost } from '../../../features/reports/OtherHost.tsx';
import { ClassBadge } from '../../../features/visits/ClassGlyph.tsx';
import { reasonSentence, VerdictCell } from '../../../features/visits/VerdictMark.tsx';
import { countryName, methodName } from '../../../format/names.ts';
import { networkName } from '../../../format/networks.ts';
import { readablePath, visible } from '../../../format/visible.ts';
import { useSourceName } from '../../../parts/useSources.ts';

export interface VisitColumn {
  readonly key: string;
  readonly title: string;
  /** Replaces the title in the head. */
  readonly head?: ReactNode;
  readonly isNumber?: true;
  /** Columns of a higher rank disappear first where there is little room. */
  readonly rank: 1 | 2 | 3;
  /** Shown until the reader chooses others. */
  readonly isUsual?: true;
  /** What it is made of, by the names that files have for their columns. */
  readonly fields: readonly (keyof VisitItem)[];
  readonly cell: (visit: VisitItem) => ReactNode;
}

/** After the time and the visitor, which are always shown. All text of visitors is untrusted and rendered as text. */
export const VISIT_COLUMNS: readonly VisitColumn[] = [
  {
    // Beside the visitor where it is no AI bot.
    key: 'class',
    title: 'Class',
    rank: 1,
    fields: ['class'],
    cell: (visit) => <ClassBadge hitClass={visit.class} />,
  },
  {
    key: 'verdict',
    title: 'Identity',
    head: <Term name="identity">Identity</Term>,
    rank: 1,
    isUsual: true,
    fields: ['verified'],
    cell: (visit) => <VerdictCell item={visit} />,
  },
  {
    key: 'status',
    title: 'Status',
    isNumber: true,
    rank: 1,
    isUsual: true,
    fields: ['status'],
    cell: ({ status }) => <span data-status={Math.floor(status / 100)}>{status === 0 ? '–' : status}</span>,
  },
  {
    key: 'page',
    title: 'Page',
    rank: 1,
    isUsual: true,
    fields: ['method', 'host', 'path'],
    cell: ({ method, path, host }) => (
      <>
        <span className="page-path" title={path}>
          {method !== 'GET' && method !== '' && <span className="method">{method}</span>}
          {readablePath(path)}
        </span>
        <OtherHost host={host} />
      </>
    ),
  },
  {
    key: 'network',
    title: 'Network',
    head: <Term name="network">Network</Term>,
    rank: 2,
    isUsual: true,
    fields: ['asn', 'network'],
    cell: ({ asn, network }) => networkName(asn, network) || '–',
  },
  {
    key: 'country',
    title: 'Country',
    rank: 3,
    isUsual: true,
    fields: ['country'],
    cell: ({ country }) => <abbr title={countryName(country) || 'unknown country'}>{country || '–'}</abbr>,
  },
  {
    key: 'reason',
    title: 'Reason',
    rank: 3,
    fields: ['verdict_reason'],
    cell: ({ verdict_reason: reason }) => reasonSentence(reason),
  },
  {
    key: 'method',
    title: 'Verified by',
    rank: 3,
    fields: ['verified_by'],
    cell: ({ verified_by: method }) => methodName(method),
  },
  {
    key: 'agent',
    title: 'User agent',
    rank: 3,
    fields: ['user_agent'],
    cell: (visit) => visible(visit.user_agent),
  },
  {
    key: 'referrer',
    title: 'Referrer',
    rank: 3,
    fields: ['referrer'],
    cell: ({ referrer }) => visible(referrer),
  },
  {
    key: 'bytes',
    title: 'Bytes',
    isNumber: true,
    rank: 3,
    fields: ['bytes'],
    cell: ({ bytes }) => (bytes === 0 ? '–' : bytes.toLocaleString('en')),
  },
  {
    key: 'source',
    title: 'Source',
    rank: 3,
    fields: ['source'],
    cell: ({ source }) => <SourceName source={source} />,
  },
  {
    key: 'version',
    title: 'Collector',
    rank: 3,
    fields: ['worker_version'],
    cell: (visit) => visible(visit.worker_version),
  },
  {
    key: 'firewall',
    title: 'Firewall',
    rank: 3,
    fields: ['waf_action'],
    cell: (visit) => visible(visit.waf_action),
  },
];

function SourceName({ source }: { source: string }) {
  return useSourceName()(source);
}

/** The columns of a file of these: time and visitor first, as in the table. */
export const fieldsOf = (columns: readonly VisitColumn[]): readonly (keyof VisitItem)[] => [
  ...new Set([
    ...(['at', 'bot_name', 'vendor', 'intent', 'referrer_engine', 'class'] as const),
    ...columns.flatMap(({ fields }) => fields),
  ]),
];

const KEY = 'ghostlight.visits.columns';
const USUAL = VISIT_COLUMNS.filter(({ isUsual }) => isUsual === true).map(({ key }) => key);

function remembered(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null');
    return Array.isArray(kept)
      ? VISIT_COLUMNS.map(({ key }) => key).filter((key) => kept.includes(key))
      : USUAL;
  } catch {
    return USUAL;
  }
}

export interface ColumnChoice {
  /** In their order. */
  readonly columns: readonly VisitColumn[];
  toggle(key: string): void;
  /** null: they are the usual ones. */
  readonly reset: (() => void) | null;
}

export function useColumns(): ColumnChoice {
  const [keys, setKeys] = useState(remembered);
  const choose = (next: readonly string[]) => {
    setKeys(next);
    try {
      localStorage.setItem(KEY, JSON.stringify(next));
    } catch {
      // Without storage the choice lasts until a reload.
    }
  };
  const isUsual = keys.length === USUAL.length && USUAL.every((key) => keys.includes(key));
  return {
    columns: VISIT_COLUMNS.filter(({ key }) => keys.includes(key)),
    toggle: (key) => choose(keys.includes(key) ? keys.filter((one) => one !== key) : [...keys, key]),
    reset: isUsual ? null : () => choose(USUAL),
  };
}
