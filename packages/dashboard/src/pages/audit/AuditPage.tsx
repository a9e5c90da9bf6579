import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { PageHead } from '../../features/page/PageHead.tsx';
import { useWhere } from '../../features/people/search.ts';
import { WHY_NOT } from '../../features/session/may.ts';
import { useMay } from '../../features/session/useSession.ts';
import { countOfList, ShowMore } from '../../parts/list/rows.tsx';
import { EmptyState, ErrorState, failed, ofThisChoice, Skeleton } from '../../parts/states.tsx';
import { AuditTable } from './AuditTable.tsx';
import { AuditToolbar } from './AuditToolbar.tsx';
import { auditQuery } from './api.ts';
import { ZONE, zoneName } from './days.ts';
import { useAuditSearch } from './search.ts';

const NO_FILTER = { action: undefined, actor: undefined, from: undefined, to: undefined };

export function AuditPage() {
  const mayRead = useMay('audit');
  return (
    <>
      <PageHead
        title="Audit log"
        about={
          mayRead ? (
            <>
              Who changed what, newest first. Entries are kept even if the item is deleted.
              {/* A table has it in its head. */}
              <span className="audit-zone"> Times are in {zoneName(ZONE)}.</span>
            </>
          ) : undefined
        }
      />
      {mayRead ? <Log /> : <p className="aside">{WHY_NOT.audit}</p>}
    </>
  );
}

function Log() {
  const where = useWhere();
  const [search, change] = useAuditSearch();
  const log = ofThisChoice(
    useInfiniteQuery({ ...auditQuery(where, search), placeholderData: keepPreviousData }),
  );
  const items = log.data?.pages.flatMap((page) => page.items) ?? [];
  const isFiltered = Object.keys(search).length > 0;
  const count = countOfList(items.length, log);
  return (
    <>
      <AuditToolbar
        search={search}
        entries={items}
        count={log.data === undefined ? '' : count}
        onChange={change}
        onClear={isFiltered ? () => change(NO_FILTER) : null}
      />
      {log.isPending && <Skeleton lines={8} label="Loading the log" />}
      {failed(log) && <ErrorState error={log.error} onRetry={() => void log.refetch()} />}
      {log.data !== undefined && items.length === 0 && (
        <EmptyState
          title={isFiltered ? 'No entries match these filters' : 'No changes yet'}
          {...(isFiltered
            ? {
                action: (
                  <button type="button" className="button" onClick={() => change(NO_FILTER)}>
                    Clear filters
                  </button>
                ),
              }
            : {})}
        >
          Sign-ins, keys, settings, members: every change is listed here at once.
        </EmptyState>
      )}
      {items.length > 0 && (
        <AuditTable items={items} stale={log.isPlaceholderData} onActor={(actor) => change({ actor })} />
      )}
      <ShowMore list={log} />
    </>
  );
}
