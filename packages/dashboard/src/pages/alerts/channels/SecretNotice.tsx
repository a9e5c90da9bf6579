import { IssuedKeyNotice } from '../../../features/keys/IssuedKeyNotice.tsx';
import { Dialog } from '../../../parts/Dialog.tsx';

/** The one time that a webhook's signing secret is shown. */
export function SecretNotice({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Dialog key="secret" title="Signing secret" onClose={onClose} dismissible={false}>
      <IssuedKeyNotice
        value={secret}
        onDone={onClose}
        label="Signing secret"
        what="the signing secret"
        about={
          <>
            The receiver checks with it that an alert is ours. Store it there now: it{' '}
            <strong>can’t be shown again</strong>, only replaced.
          </>
        }
      />
    </Dialog>
  );
}
