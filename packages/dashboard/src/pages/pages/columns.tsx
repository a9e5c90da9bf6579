import type { ReactNode } from 'react';
import { SplitBar } from '../../features/charts/SplitBar.tsx';
import { INTENTS } from '../../features/reports/api.ts';
import { BotName } from '../../features/reports/BotName.tsx';
import {
  countText,
  failedOf,
  failsOften,
  filesText,
  pagesText,
  shareText,
} from '../../features/reports/figures.ts';
import { PageHost, PageText } from '../../features/reports/PagePath.tsx';
import { PathText, ReportLink, RowOpens } from '../../features/reports/ReportLink.tsx';
import { Delta, FROM_NONE } from '../../features/reports/Stat.tsx';
import type { Column } from '../../features/reports/table/DataTable.tsx';
import type { VisitChange } from '../../features/visits/search.ts';
import { VisitsLink } from '../../features/visits/VisitsLink.tsx';
import { VERDICTS } from '../../features/visits/verdict.ts';
import { intentName } from '../../format/names.ts';
import { IconFolder, IconPages } from '../../parts/icons.tsx';
import { Time } from '../../parts/Time.tsx';
import type { PageItem, PathKind } from './kinds.ts';

const LABELS: Readonly<Record<PathKind, string>> = { page: 'Page', file: 'File', all: 'Path' };

/**
 * @param hadBefore whether the previous period had visits
 * @param onFolder opens a folder
 * @param isWhole spoofed visits are counted: otherwise a bar has none of them either
 */
export function pageColumns(
  group: 'page' | 'folder' | 'bot_page',
  kind: PathKind,
  hadBefore: boolean,
  onFolder: (prefix: string) => void,
  isWhole: boolean,
): Column<PageItem>[] {
  return [
    {
      key: 'page',
      label: group === 'folder' ? 'Folder or page' : LABELS[kind],
      kind: 'name',
      sort: 'path',
      rank: 1,
      cell: (item) => (
        <>
          <PageName item={item} group={group} kind={kind} onFolder={onFolder} />
          {/* A phone has no column for it. */}
          {group !== 'bot_page' && (
            <span className="intent-line" title={intentsText(item)}>
              <SplitBar wide width={400} height={4} parts={intentsOf(item)} />
            </span>
          )}
        </>
      ),
    },
    ...(group === 'bot_page'
      ? [
          {
            key: 'bot',
            label: 'Bot',
            kind: 'name' as const,
            rank: 1 as const,
            wide: true,
            isPlain: true,
            cell: ({ bot = '', vendor = '', intent = '' }: PageItem) => (
              <BotName {...{ bot, vendor, intent }} to="bots" narrow={{ bot }} />
            ),
          },
          {
            key: 'identity',
            label: 'Identity',
            term: 'identity',
            kind: 'picture' as const,
            rank: 4 as const,
            cell: (item: PageItem) => (
              <SplitBar
                width={96}
                parts={VERDICTS.filter((verdict) => isWhole || verdict !== 'spoofed').map((verdict) => ({
                  ...{ key: verdict, paint: verdict, value: item[verdict] },
                }))}
              />
            ),
          },
        ]
      : [
          {
            key: 'intents',
            label: 'Intent',
            term: 'intent',
            kind: 'picture' as const,
            rank: 4 as const,
            cell: (item: PageItem) => (
              <span title={intentsText(item)}>
                <SplitBar width={96} parts={intentsOf(item)} />
              </span>
            ),
          },
        ]),
    {
      key: 'hits',
      label: 'Visits',
      kind: 'figure',
      sort: 'hits',
      rank: 1,
      cell: (item) => (
        <VisitsLink narrow={placeOf(item, kind)}>{countText(item.hits, item.estimated)}</VisitsLink>
      ),
    },
    {
      key: 'change',
      label: 'Change',
      kind: 'figure',
      sort: 'change',
      rank: 2,
      isPlain: true,
      cell: (item) => (
        <Delta of={item} none={hadBefore && item.previous?.hits === 0 ? FROM_NONE : undefined} isRow />
      ),
    },
    ...(group === 'bot_page'
      ? []
      : [
          {
            key: 'bots',
            label: 'Bots',
            kind: 'figure' as const,
            sort: 'bots',
            rank: 2 as const,
            cell: ({ bots = 0, path, host }: PageItem) =>
              bots === 0 || path === undefined ? (
                countText(bots)
              ) : (
                <ReportLink
                  to="pages"
                  narrow={{ page: path, group: 'bot_page', ...(host === undefined ? {} : { host }) }}
                  className="figure-link"
                  title="Show these bots"
                >
                  {countText(bots)}
                </ReportLink>
              ),
          },
        ]),
    {
      key: 'errors',
      label: 'Failed',
      term: 'failure',
      kind: 'figure',
      sort: 'errors',
      rank: 2,
      cell: (item) => {
        const { failed, estimated } = failedOf(item);
        return failed === 0 ? (
          <span className="quiet">0</span>
        ) : (
          <span className={failsOften(failed, item.hits) ? 'text-bad failed-often' : undefined}>
            {item.is_folder === true ? (
              <ReportLink
                to="failures"
                narrow={{ path: item.folder, group: undefined }}
                title="Show these failures"
              >
                {countText(failed, estimated)}
              </ReportLink>
            ) : (
              <VisitsLink narrow={{ ...placeOf(item, kind), status: 'error' }}>
                {countText(failed, estimated)}
              </VisitsLink>
            )}
            {failsOften(failed, item.hits) && (
              <span className="fails-often">{shareText(failed / item.hits)} of visits</span>
            )}
          </span>
        );
      },
    },
    {
      key: 'seen',
      // Of any answer: one that failed is a visit, and no reading.
      label: 'Last visit',
      kind: 'time',
      sort: 'last_seen',
      rank: 2,
      cell: ({ last_seen: at }) => <Time value={at} form="ago" none="no visits" />,
    },
  ];
}

const intentsOf = (item: PageItem) =>
  INTENTS.map((intent) => ({ key: intent, paint: intent, value: item[intent] ?? 0 }));
const intentsText = (item: PageItem): string =>
  INTENTS.map(
    (intent) => `${intentName(intent)} ${countText(item[intent] ?? 0, item.estimates[intent])}`,
  ).join(', ');

/** The filters of the visits of a row. */
const placeOf = (
  { host, path, folder, is_folder: isFolder, bot }: PageItem,
  kind: PathKind,
): VisitChange => ({
  ...(host === undefined ? {} : { host }),
  ...(bot === undefined ? {} : { bot }),
  ...(isFolder === true
    ? { path: folder, page: undefined, ...(kind === 'all' ? {} : { kind }) }
    : { page: path ?? folder }),
});

interface PageNameProps {
  item: PageItem;
  group: 'page' | 'folder' | 'bot_page';
  kind: PathKind;
  onFolder: (prefix: string) => void;
}

/** A path, which is untrusted and rendered as text. */
function PageName({ item, group, kind, onFolder }: PageNameProps) {
  const { host, path, folder, is_folder } = item;
  if (group === 'folder' && is_folder === true && folder !== undefined)
    return (
      <span className="folder-row">
        <span className="folder-line">
          <IconFolder />
          <button type="button" className="report-link folder-name" onClick={() => onFolder(folder)}>
            <PathText path={folder} />
          </button>
          <RowOpens />
        </span>
        <span className="folder-holds quiet">{heldBy(item)}</span>
      </span>
    );
  const address = path ?? folder ?? '';
  const link = (text: ReactNode) => (
    <ReportLink
      to="pages"
      narrow={{ page: address, group: 'bot_page', ...(host === undefined ? {} : { host }) }}
      title="Bots that read it"
    >
      {text}
    </ReportLink>
  );
  if (group === 'folder') {
    // Of several hosts: a folder's children are those of all of them.
    const isHome = address === '/';
    const { pages } = item;
    const isMany = (pages ?? 1) > 1;
    return (
      <span className="folder-row">
        <span className="folder-line">
          <IconPages />
          {link(
            isHome ? (
              <span className="home-page">{isMany ? 'Home pages' : 'Home page'}</span>
            ) : (
              <PathText path={address} />
            ),
          )}
          <RowOpens />
        </span>
        {kind === 'all' && <KindTag kind={item.kind} />}
        {isHome && isMany && <span className="folder-holds quiet">{heldBy(item)}</span>}
      </span>
    );
  }
  return (
    <>
      {link(host === undefined ? <PathText path={address} /> : <PageText host={host} path={address} />)}
      <RowOpens />
      {kind === 'all' && <KindTag kind={item.kind} />}
      {host !== undefined && <PageHost host={host} path={address} />}
    </>
  );
}

/** The number of pages and files in a folder. */
const heldBy = ({ pages, files }: PageItem): string =>
  [
    ...(pages == null ? [] : [pagesText(pages)]),
    ...(files == null || (pages != null && files === 0) ? [] : [filesText(files)]),
  ].join(', ');

/** A tag for files, where pages and files are listed together. */
function KindTag({ kind }: Pick<PageItem, 'kind'>) {
  if (kind === 'file') return <span className="tag tag-kind">file</span>;
  if (kind === 'unread')
    return (
      <span className="tag tag-kind" title="Requested, but never read successfully">
        never read
      </span>
    );
  return null;
}
