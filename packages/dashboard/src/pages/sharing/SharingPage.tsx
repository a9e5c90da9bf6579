import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Property } from '../../api/types.ts';
import { OfProperty } from '../../features/property/OfProperty.tsx';
import { whyNot } from '../../features/session/may.ts';
import { useMay, useSession } from '../../features/session/useSession.ts';
import { SettingsFrame } from '../../features/settings/SettingsFrame.tsx';
import { SHARING } from '../../features/settings/topics.ts';
import { type ShareLink, sharingApi, sharingQueries } from '../../features/sharing/api.ts';
import { ShareLinkDialog } from '../../features/sharing/ShareLinkDialog.tsx';
import { RemoveDialog } from '../../parts/ConfirmDialog.tsx';
import { IconPlus } from '../../parts/icons.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../parts/states.tsx';
import { LinkTable } from './LinkTable.tsx';
import { MailSection } from './MailSection.tsx';
import { SharingPanel } from './SharingPanel.tsx';

/** Links and mails by which reports leave the dashboard. */
export function SharingPage() {
  return <OfProperty view={View} />;
}

function View({ property }: { property: Property }) {
  return (
    <SettingsFrame
      view="sharing"
      title={SHARING.label}
      about={`Share the reports of ${property.name} by link or email.`}
    >
      <div className="sharing">
        <LinksSection property={property} />
        <MailSection property={property} />
      </div>
    </SettingsFrame>
  );
}

function LinksSection({ property }: { property: Property }) {
  const mayChange = useMay('change');
  const session = useSession();
  const links = useQuery({ ...sharingQueries.links(property.id), enabled: mayChange });
  const [issuing, setIssuing] = useState(false);
  const [revoking, setRevoking] = useState<ShareLink | null>(null);
  const create = (
    <button type="button" className="button button-primary" onClick={() => setIssuing(true)}>
      <IconPlus />
      New share link
    </button>
  );
  const hasLinks = links.data !== undefined && links.data.length > 0;
  return (
    <SharingPanel
      id="links"
      title="Share links"
      about="Anyone with a link can read the reports, without an account."
      action={mayChange && hasLinks && create}
    >
      {!mayChange && <p className="aside">{whyNot(session, 'change')}</p>}
      {mayChange && links.isPending && <Skeleton lines={8} label="Loading share links" />}
      {links.error !== null && <ErrorState error={links.error} onRetry={() => void links.refetch()} />}
      {links.data?.length === 0 && (
        <EmptyState title="No share links yet" action={create}>
          A link shows Overview, Bots, Pages, Failures, Referrals and AI share. It hides individual visits,
          conversions and settings.
        </EmptyState>
      )}
      {hasLinks && <LinkTable links={links.data} onRevoke={setRevoking} />}
      {issuing && <ShareLinkDialog property={property} onClose={() => setIssuing(false)} />}
      {revoking !== null && (
        <RemoveDialog
          title={`Revoke “${revoking.name}”?`}
          word={revoking.name}
          action="Revoke link"
          remove={() => sharingApi.revoke(property.id, revoking.id)}
          outdated={[sharingQueries.links(property.id)]}
          done={`Revoked ${revoking.name}`}
          onClose={() => setRevoking(null)}
        >
          <p>
            Within seconds it stops working, even where it is open, and its chart disappears. This can’t be
            undone.
          </p>
        </RemoveDialog>
      )}
    </SharingPanel>
  );
}
