import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { queries } from '../../api/queries.ts';
import type { IngestKey } from '../../api/types.ts';
import { IssueKeyDialog } from '../../features/keys/IssueKeyDialog.tsx';
import { PageHead } from '../../features/page/PageHead.tsx';
import { useAsked } from '../../features/page/useAsked.ts';
import { useProperty } from '../../features/property/useProperty.ts';
import { RequirePermission } from '../../features/session/RequirePermission.tsx';
import { useMay } from '../../features/session/useSession.ts';
import { RemoveDialog } from '../../parts/ConfirmDialog.tsx';
import { IconPlus } from '../../parts/icons.tsx';
import { EmptyState, ErrorState, failed, Skeleton } from '../../parts/states.tsx';
import { useSources } from '../../parts/useSources.ts';
import './keys.css';
import { KeyTable } from './KeyTable.tsx';
import { RotateKeyDialog } from './RotateKeyDialog.tsx';
import { SettingsDialog } from './SettingsDialog.tsx';

export function KeysPage() {
  const property = useProperty();
  const keys = useQuery(queries.keys());
  const [issuing, setIssuing] = useState(false);
  const sources = useSources();
  const [setting, setSetting] = useState<IngestKey | null>(null);
  const [rotating, setRotating] = useState<IngestKey | null>(null);
  const [revoking, setRevoking] = useState<IngestKey | null>(null);
  const mayChange = useMay('organization');
  const mayList = useMay('tokens');
  const [asked, setAsked] = useState<string | null>(null);
  useAsked('issue', () => setIssuing(mayChange));
  useAsked('rotate-', (id) => setAsked(mayChange ? id : null));
  // The keys may load after the page was asked.
  const askedKey = keys.data?.find(({ id, revoked_at: revoked }) => id === asked && revoked === null);
  if (askedKey !== undefined) {
    setRotating(askedKey);
    setAsked(null);
  }
  if (property === null) return null;
  const issueButton = (
    <RequirePermission permission="organization">
      <button type="button" className="button button-primary head-action" onClick={() => setIssuing(true)}>
        <IconPlus />
        New key
      </button>
    </RequirePermission>
  );
  return (
    <>
      <PageHead
        title="Ingest keys"
        about={
          <>
            Collectors and log sources use these keys to send visits. Conversions use{' '}
            <Link to="/p/$propertyId/webhooks" params={{ propertyId: property.id }}>
              webhook keys
            </Link>
            ; the API uses {mayList ? <Link to="/organization/tokens">API tokens</Link> : 'API tokens'}.
          </>
        }
      >
        {keys.data !== undefined && keys.data.length > 0 && issueButton}
      </PageHead>
      {keys.isPending && <Skeleton lines={5} label="Loading keys" />}
      {failed(keys) && <ErrorState error={keys.error} onRetry={() => void keys.refetch()} />}
      {keys.data?.length === 0 && (
        <EmptyState title="No keys yet" action={issueButton}>
          Create a key for the collector or log source of {property.domain}. You’ll see it once.
        </EmptyState>
      )}
      {keys.data !== undefined && keys.data.length > 0 && (
        <KeyTable keys={keys.data} onSettings={setSetting} onRotate={setRotating} onRevoke={setRevoking} />
      )}
      {issuing && <IssueKeyDialog property={property} onClose={() => setIssuing(false)} />}
      {setting !== null && (
        <SettingsDialog
          ingestKey={setting}
          fields={sources.find(({ name }) => name === setting.provider)?.settings ?? []}
          onClose={() => setSetting(null)}
        />
      )}
      {rotating !== null && (
        <RotateKeyDialog ingestKey={rotating} propertyId={property.id} onClose={() => setRotating(null)} />
      )}
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
        Requests with <code>{ingestKey.prefix}…</code> get 401 within seconds, and their visits are not
        stored. This can’t be undone.
      </p>
    </RemoveDialog>
  );
}
