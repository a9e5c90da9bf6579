import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { queries } from '../../api/queries.ts';
import type { IngestKey } from '../../api/types.ts';
import { IssueKeyDialog } from '../../features/keys/IssueKeyDialog.tsx';
import { PageHead } from '../../features/page/PageHead.tsx';
import { useProperty } from '../../features/property/useProperty.ts';
import { ForWhoMay } from '../../features/session/ForWhoMay.tsx';
import { RemoveDialog } from '../../parts/ConfirmDialog.tsx';
import { IconPlus } from '../../parts/icons.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../parts/states.tsx';
import { KeyTable } from './KeyTable.tsx';

export function KeysPage() {
  const property = useProperty();
  const keys = useQuery(queries.keys());
  const [issuing, setIssuing] = useState(false);
  const [revoking, setRevoking] = useState<IngestKey | null>(null);
  if (property === null) return null;
  const issueButton = (
    <ForWhoMay>
      <button type="button" className="button button-primary" onClick={() => setIssuing(true)}>
        <IconPlus />
        Issue key
      </button>
    </ForWhoMay>
  );
  return (
    <>
      <PageHead
        title="Ingest keys"
        about="What collectors and log push jobs sign in with. One key works on both endpoints; its default property takes the hits that name none."
      >
        {keys.data !== undefined && keys.data.length > 0 && issueButton}
      </PageHead>
      {keys.isPending && <Skeleton lines={5} label="Loading keys" />}
      {keys.error !== null && <ErrorState error={keys.error} onRetry={() => void keys.refetch()} />}
      {keys.data?.length === 0 && (
        <EmptyState title="No keys yet" action={issueButton}>
          Issue one for the collector or the log push job of {property.domain}. It is shown once.
        </EmptyState>
      )}
      {keys.data !== undefined && keys.data.length > 0 && (
        <KeyTable keys={keys.data} onRevoke={setRevoking} />
      )}
      {issuing && <IssueKeyDialog property={property} onClose={() => setIssuing(false)} />}
      {revoking !== null && <RevokeKeyDialog ingestKey={revoking} onClose={() => setRevoking(null)} />}
    </>
  );
}

function RevokeKeyDialog({ ingestKey, onClose }: { ingestKey: IngestKey; onClose: () => void }) {
  return (
    <RemoveDialog
      title={`Revoke “${ingestKey.name}”?`}
      word={ingestKey.name}
      action="Revoke key"
      remove={() => api.revokeKey(ingestKey.id)}
      outdated={[queries.keys()]}
      done={`Revoked ${ingestKey.name}`}
      onClose={onClose}
    >
      <p>
        Whatever uses <code>{ingestKey.prefix}…</code> is answered 401 within seconds, and its hits are not
        kept. This can’t be undone.
      </p>
    </RemoveDialog>
  );
}
