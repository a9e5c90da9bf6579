import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Property } from '../../../api/types.ts';
import { useHeldKeys } from '../../../features/keys/HeldKeys.tsx';
import { RequirePermission } from '../../../features/session/RequirePermission.tsx';
import { heldName, type WebhookKey, webhooksApi, webhooksQueries } from '../../../features/webhooks/api.ts';
import { RemoveDialog } from '../../../parts/ConfirmDialog.tsx';
import { IconCheck, IconPlus } from '../../../parts/icons.tsx';
import { ErrorState, Skeleton } from '../../../parts/states.tsx';
import { IssueWebhookKeyDialog } from './IssueWebhookKeyDialog.tsx';
import { RateLimitDialog } from './RateLimitDialog.tsx';
import { WebhookKeyTable } from './WebhookKeyTable.tsx';

type Doing = { what: 'issue' } | { what: 'revoke' | 'limit'; key: WebhookKey };

interface WebhookKeysProps {
  property: Property;
  /** Where the keys are a section rather than a step; the button is beside it. */
  heading?: ReactNode;
}

export function WebhookKeys({ property, heading }: WebhookKeysProps) {
  const { data, error, isPending, refetch } = useQuery(webhooksQueries.keys(property.id));
  const [doing, setDoing] = useState<Doing | null>(null);
  const held = useHeldKeys().keyFor(heldName(property.id));
  const close = () => setDoing(null);
  const hasActive = data?.some(({ revoked_at }) => revoked_at === null) ?? false;
  const isSection = heading !== undefined;
  const issueButton = (
    <RequirePermission>
      <button
        type="button"
        className={hasActive ? 'button' : 'button button-primary'}
        onClick={() => setDoing({ what: 'issue' })}
      >
        <IconPlus />
        New key
      </button>
    </RequirePermission>
  );
  return (
    <>
      {isSection && (
        <header className="running-head">
          {heading}
          {issueButton}
        </header>
      )}
      <p>
        Give each sender its own key: a shop, a CRM, a script. A key is shown once and can’t be recovered.
      </p>
      {held !== null && (
        <p className="held">
          <IconCheck />
          <span>
            <code>{held.slice(0, 12)}…</code> is filled in below. It is held in this tab’s memory only.
          </span>
        </p>
      )}
      {isPending && <Skeleton lines={2} label="Loading keys" />}
      {error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data !== undefined && data.length > 0 && (
        <WebhookKeyTable
          keys={data}
          onLimit={(key) => setDoing({ what: 'limit', key })}
          onRevoke={(key) => setDoing({ what: 'revoke', key })}
        />
      )}
      {!isSection && issueButton}
      {doing?.what === 'issue' && <IssueWebhookKeyDialog property={property} onClose={close} />}
      {doing?.what === 'limit' && (
        <RateLimitDialog property={property} webhookKey={doing.key} onClose={close} />
      )}
      {doing?.what === 'revoke' && (
        <RevokeWebhookKeyDialog property={property} webhookKey={doing.key} onClose={close} />
      )}
    </>
  );
}

interface RevokeWebhookKeyDialogProps {
  property: Property;
  webhookKey: WebhookKey;
  onClose: () => void;
}

function RevokeWebhookKeyDialog({ property, webhookKey, onClose }: RevokeWebhookKeyDialogProps) {
  return (
    <RemoveDialog
      title={`Revoke “${webhookKey.name}”?`}
      word={webhookKey.name}
      action="Revoke key"
      remove={() => webhooksApi.revokeKey(property.id, webhookKey.id)}
      outdated={[webhooksQueries.keys(property.id)]}
      done={`Revoked ${webhookKey.name}`}
      onClose={onClose}
    >
      <p>
        Requests with <code>{webhookKey.prefix}…</code> get 401 within seconds, and their conversions are not
        recorded. This can’t be undone.
      </p>
    </RemoveDialog>
  );
}
