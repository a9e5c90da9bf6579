import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { queries } from '../../api/queries.ts';
import type { LogSource, Property } from '../../api/types.ts';
import { useHeldKeys } from '../../features/keys/HeldKeys.tsx';
import { IssueKeyDialog } from '../../features/keys/IssueKeyDialog.tsx';
import { RequirePermission } from '../../features/session/RequirePermission.tsx';
import { IconCheck, IconKey } from '../../parts/icons.tsx';
import { SecretField } from '../../parts/SecretField.tsx';
import { Step } from '../../parts/Section.tsx';
import { ErrorState } from '../../parts/states.tsx';
import { useSources } from '../../parts/useSources.ts';

/**
 * Step 1 of every source. One click creates the first key, named after the source, and fills it into the commands below until a reload; a
 * further one is asked for in a dialog.
 */
export function KeyStep({ property, source }: { property: Property; source: LogSource | undefined }) {
  const queryClient = useQueryClient();
  const { keyFor, hold } = useHeldKeys();
  const [first] = useSources() as readonly [LogSource];
  const [asking, setAsking] = useState(false);
  const held = keyFor(property.id);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      api.issueKey({
        name: source?.title ?? 'Test visit',
        provider: (source ?? first).name,
        attribution_id: property.id,
      }),
    onSuccess: ({ key }) => {
      hold(property.id, key);
      void queryClient.invalidateQueries(queries.keys());
    },
  });
  return (
    <Step number={1} title="Get an ingest key">
      {held === null ? (
        <p>
          The commands below have a placeholder, <code>&lt;INGEST_KEY&gt;</code>, until you create a key here.
          A key is shown once. Revoke a lost one on the{' '}
          <Link to="/p/$propertyId/keys" params={{ propertyId: property.id }}>
            Ingest keys
          </Link>{' '}
          page.
        </p>
      ) : (
        <>
          <p className="held">
            <IconCheck />
            <span>
              <code>{held.slice(0, 12)}…</code> is filled in below. Store it now: it is held in this tab’s
              memory only, and a reload forgets it.
            </span>
          </p>
          <SecretField value={held} label="Ingest key" what="the key" />
        </>
      )}
      <RequirePermission permission="organization">
        <button
          type="button"
          className={held === null ? 'button button-primary' : 'button'}
          disabled={isPending}
          onClick={() => (held === null ? mutate() : setAsking(true))}
        >
          <IconKey />
          {held === null ? (isPending ? 'Creating…' : 'Create key') : 'New key'}
        </button>
      </RequirePermission>
      {error !== null && <ErrorState error={error} />}
      {asking && (
        <IssueKeyDialog
          property={property}
          {...(source === undefined ? {} : { provider: source.name })}
          onClose={() => setAsking(false)}
        />
      )}
    </Step>
  );
}
