import { useState } from 'react';
import type { Property } from '../../../api/types.ts';
import { EmptyState } from '../../../parts/states.tsx';
import type { WebmcpState } from '../types.ts';
import { HostStatusPanel } from './HostStatusPanel.tsx';
import { RotateKeysDialog } from './RotateKeysDialog.tsx';
import { SignaturePanel } from './SignaturePanel.tsx';
import { TrustPanel } from './TrustPanel.tsx';
import { UnpublishDialog } from './UnpublishDialog.tsx';

interface ServingViewProps {
  property: Property;
  state: WebmcpState;
  onState: (state: WebmcpState) => void;
}

/** Whether agents get the document, and whether it holds. */
export function ServingView({ property, state, onState }: ServingViewProps) {
  const [asking, setAsking] = useState<'rotate' | 'unpublish' | null>(null);
  const { published } = state;
  if (published === null) {
    return (
      <EmptyState title="Nothing is published">
        Once it is, this page asks each host for the document, checks its signature as an agent would, and
        says what to do where that fails.
      </EmptyState>
    );
  }
  const close = () => setAsking(null);
  return (
    <div className="serving">
      <HostStatusPanel property={property} state={state} />
      <div className="serving-side">
        <SignaturePanel
          state={state}
          published={published}
          onRotate={() => setAsking('rotate')}
          onUnpublish={() => setAsking('unpublish')}
        />
        <TrustPanel hosts={state.hosts} issuer={state.issuer} />
      </div>
      {asking === 'rotate' && <RotateKeysDialog property={property} onState={onState} onClose={close} />}
      {asking === 'unpublish' && <UnpublishDialog property={property} onState={onState} onClose={close} />}
    </div>
  );
}
