import { SplitBar } from '../../features/charts/SplitBar.tsx';
import { BotName } from '../../features/reports/BotName.tsx';
import { countText, shareText } from '../../features/reports/figures.ts';
import type { Column } from '../../features/reports/table/DataTable.tsx';
import { VisitsLink } from '../../features/visits/VisitsLink.tsx';
import { VERDICTS } from '../../features/visits/verdict.ts';
import { Time } from '../../parts/Time.tsx';
import { METHOD_WORDS, METHODS, type TrustItem } from './messages.ts';

export function trustColumns(): Column<TrustItem>[] {
  return [
    {
      key: 'bot',
      label: 'Bot',
      kind: 'name',
      sort: 'bot',
      rank: 1,
      cell: ({ bot, vendor, intent }) => <BotName {...{ bot, vendor, intent }} to="bots" narrow={{ bot }} />,
    },
    {
      key: 'split',
      label: 'Identity',
      term: 'identity',
      kind: 'picture',
      rank: 4,
      cell: (item) => (
        <SplitBar
          width={140}
          of={item.hits}
          parts={VERDICTS.map((verdict) => ({ key: verdict, paint: verdict, value: item[verdict] }))}
        />
      ),
    },
    {
      key: 'verified',
      label: '✓ Verified',
      term: 'verified',
      kind: 'figure',
      sort: 'verified',
      rank: 1,
      cell: ({ bot, verified, estimates }) => (
        <VisitsLink narrow={{ bot, verdict: 'verified' }}>
          {countText(verified, estimates['verified'])}
        </VisitsLink>
      ),
    },
    {
      key: 'unknown',
      label: '? Unknown',
      term: 'unknown',
      kind: 'figure',
      sort: 'unknown',
      rank: 2,
      cell: ({ bot, unknown, estimates }) => (
        <VisitsLink narrow={{ bot, verdict: 'unknown' }}>
          {countText(unknown, estimates['unknown'])}
        </VisitsLink>
      ),
    },
    {
      key: 'spoofed',
      label: '✕ Spoofed',
      term: 'spoofed',
      kind: 'figure',
      sort: 'spoofed',
      rank: 1,
      cell: ({ bot, spoofed, spoofed_share: share, estimates }) =>
        spoofed === 0 ? (
          <span className="quiet">0</span>
        ) : (
          <span className="text-bad">
            <VisitsLink narrow={{ bot, verdict: 'spoofed' }}>
              {countText(spoofed, estimates['spoofed'])}
            </VisitsLink>{' '}
            <span className="quiet">{share === null ? '' : shareText(share)}</span>
          </span>
        ),
    },
    {
      key: 'methods',
      label: 'Identified by',
      kind: 'name',
      rank: 3,
      cell: ({ methods }) => {
        const used = METHODS.filter((method) => methods[method] > 0);
        return used.length === 0 ? (
          <span className="quiet">–</span>
        ) : (
          <span className="method-marks" title={used.map((method) => METHOD_WORDS[method].name).join(', ')}>
            {[...new Set(used.map((method) => METHOD_WORDS[method].short))].map((short) => (
              <span key={short} className="tag">
                {short}
              </span>
            ))}
          </span>
        );
      },
    },
    {
      key: 'last',
      label: 'Last spoofed',
      kind: 'time',
      rank: 3,
      cell: ({ last_spoofed: at }) => <Time value={at} form="ago" none="never" />,
    },
  ];
}
