import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Property, Provider } from '../../api/types.ts';
import { useHeldKeys } from '../../features/keys/HeldKeys.tsx';
import { IssueKeyDialog } from '../../features/keys/IssueKeyDialog.tsx';
import { RequirePermission } from '../../features/session/RequirePermission.tsx';
import { IconCheck, IconKey } from '../../parts/icons.tsx';
import { Step } from '../../parts/Section.tsx';

/** Step 1 of every source. A key that is issued here is filled into the commands below until a reload. */
export function KeyStep({ property, provider }: { property: Property; provider: Provider | undefined }) {
  const [issuing, setIssuing] = useState(false);
  const held = useHeldKeys().keyFor(property.id);
  return (
    <Step number={1} title="Get an ingest key">
      {held === null ? (
        <p>
          The commands below have a placeholder, <code>&lt;INGEST_KEY&gt;</code>, until you issue a key here.
          A key is shown once and can’t be recovered; a lost one is revoked on the{' '}
          <Link to="/p/$propertyId/keys" params={{ propertyId: property.id }}>
            Keys
          </Link>{' '}
          page.
        </p>
      ) : (
        <p className="held">
          <IconCheck />
          <span>
            <code>{held.slice(0, 12)}…</code> is filled in below. It is held in this tab’s memory only; a
            reload forgets it.
          </span>
        </p>
      )}
      <RequirePermission permission="organization">
        <button
          type="button"
          className={held === null ? 'button button-primary' : 'button'}
          onClick={() => setIssuing(true)}
        >
          <IconKey />
          {held === null ? 'Issue a key' : 'Issue another key'}
        </button>
      </RequirePermission>
      {issuing && (
        <IssueKeyDialog
          property={property}
          {...(provider === undefined ? {} : { provider })}
          onClose={() => setIssuing(false)}
        />
      )}
    </Step>
  );
}
