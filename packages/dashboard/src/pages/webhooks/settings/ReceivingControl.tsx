import { useState } from 'react';
import type { Property } from '../../../api/types.ts';
import { useSettings } from '../../../features/webhooks/api.ts';
import { Dialog, DialogActions } from '../../../parts/Dialog.tsx';
import { ErrorState, failed } from '../../../parts/states.tsx';

/** Enables receiving, where it is not. */
export function EnableReceiving({ property }: { property: Property }) {
  const enable = useSettings(property.id, 'Receiving is enabled');
  return (
    <div className="form">
      <p className="aside">The endpoint answers 404 and records nothing. Keys and conversions are kept.</p>
      {failed(enable) && <ErrorState error={enable.error} />}
      <div>
        <button
          type="button"
          className="button button-primary"
          disabled={enable.isPending}
          onClick={() => enable.mutate({ enabled: true })}
        >
          Enable receiving
        </button>
      </div>
    </div>
  );
}

/** Disables receiving, after a warning. */
export function DisableReceiving({ property }: { property: Property }) {
  const [asking, setAsking] = useState(false);
  const disable = useSettings(property.id, 'Receiving is disabled', () => setAsking(false));
  return (
    <>
      <button type="button" className="button button-bad" onClick={() => setAsking(true)}>
        Disable receiving
      </button>
      {asking && (
        <Dialog title="Disable receiving?" onClose={() => setAsking(false)}>
          <p>
            Every post will get 404 and will not be recorded. Most shops don’t retry, so those conversions are
            lost. Keys, settings and recorded conversions are kept.
          </p>
          {failed(disable) && <ErrorState error={disable.error} />}
          <DialogActions
            onCancel={() => setAsking(false)}
            onAct={() => disable.mutate({ enabled: false })}
            disabled={disable.isPending}
            danger
          >
            {disable.isPending ? 'One moment…' : 'Disable receiving'}
          </DialogActions>
        </Dialog>
      )}
    </>
  );
}
