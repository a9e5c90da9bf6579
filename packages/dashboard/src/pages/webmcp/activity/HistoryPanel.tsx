import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Property } from '../../../api/types.ts';
import { useAnnounce } from '../../../parts/Announcer.tsx';
import { Dialog, DialogActions } from '../../../parts/Dialog.tsx';
import { ErrorState, failed, Skeleton } from '../../../parts/states.tsx';
import { HISTORY_PAGE, webmcpApi, webmcpQueries } from '../api.ts';
import { type Difference, isSame, summaryOf } from '../model/difference.ts';
import type { Declaration, HistoryEntry } from '../types.ts';
import { HistoryRow } from './HistoryRow.tsx';

interface HistoryPanelProps {
  property: Property;
  /** The current version; null: none. */
  current: number | null;
  difference: Difference;
  onRestore: (declaration: Declaration) => void;
}

export function HistoryPanel({ property, current, difference, onRestore }: HistoryPanelProps) {
  const [restoring, setRestoring] = useState<HistoryEntry | null>(null);
  const history = useInfiniteQuery({
    queryKey: webmcpQueries.versionsKey(property.id),
    queryFn: ({ pageParam, signal }) => webmcpApi.versions(property.id, pageParam, signal),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => (page.length < HISTORY_PAGE ? null : (page.at(-1)?.version ?? null)),
  });
  const entries = history.data?.pages.flat() ?? [];
  return (
    <section className="card panel" aria-label="History">
      <h2>History</h2>
      {history.isPending && <Skeleton lines={4} />}
      {failed(history) && <ErrorState error={history.error} onRetry={() => void history.refetch()} />}
      {history.data !== undefined && entries.length === 0 && (
        <p className="aside">Publications, key rotations and withdrawals will be listed here.</p>
      )}
      {entries.length > 0 && (
        <ol className="history">
          {entries.map((entry, index) => (
            <HistoryRow
              key={`${entry.version} ${entry.action} ${entry.at}`}
              property={property}
              entry={entry}
              previous={entries[index + 1] ?? null}
              current={entry.version === current}
              opens={index === 0}
              onRestore={() => setRestoring(entry)}
            />
          ))}
        </ol>
      )}
      {history.hasNextPage && (
        <button
          type="button"
          className="button button-small"
          disabled={history.isFetchingNextPage}
          onClick={() => void history.fetchNextPage()}
        >
          {history.isFetchingNextPage ? 'Loading…' : 'Show older'}
        </button>
      )}
      {restoring !== null && (
        <RestoreDialog
          property={property}
          entry={restoring}
          difference={difference}
          onRestore={onRestore}
          onClose={() => setRestoring(null)}
        />
      )}
    </section>
  );
}

interface RestoreDialogProps {
  property: Property;
  entry: HistoryEntry;
  /** Unpublished edits that would be lost. */
  difference: Difference;
  onRestore: (declaration: Declaration) => void;
  onClose: () => void;
}

/** Restores into the editor, without publishing. */
function RestoreDialog({ property, entry, difference, onRestore, onClose }: RestoreDialogProps) {
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => queryClient.fetchQuery(webmcpQueries.version(property.id, entry.version)),
    onSuccess: (declaration) => {
      announce(`Version ${entry.version} is in the editor`);
      onRestore(declaration);
    },
  });
  return (
    <Dialog title={`Restore version ${entry.version}?`} onClose={onClose}>
      <p>
        Its hosts and tools are loaded into the editor as a draft. Nothing changes for agents until you
        publish.
      </p>
      {!isSame(difference) && (
        <p>
          <strong>Your draft will be replaced</strong>: {summaryOf(difference)}.
        </p>
      )}
      {error !== null && <ErrorState error={error} />}
      <DialogActions onCancel={onClose} onAct={() => mutate()} disabled={isPending}>
        {isPending ? 'One moment…' : 'Restore into the editor'}
      </DialogActions>
    </Dialog>
  );
}
