/** The address field of each kind of channel. */
import type { ReactNode } from 'react';
import { IssuedKeyNotice } from '../../../features/keys/IssuedKeyNotice.tsx';
import { Dialog } from '../../../parts/Dialog.tsx';
import type { ChannelType } from '../api.ts';

interface TargetWords {
  readonly label: string;
  readonly placeholder: string;
  readonly hint: ReactNode;
}

export const TARGETS: Readonly<Record<ChannelType, TargetWords>> = {
  email: {
    label: 'Email address',
    placeholder: 'ops@shop.example',
    hint: 'One address. For several people, add several channels or use a mailing list.',
  },
  slack: {
    label: 'Incoming webhook URL',
    placeholder: 'https://hooks.slack.com/services/…',
    hint: (
      <>
        From{' '}
        <a href="https://api.slack.com/apps" target="_blank" rel="noreferrer">
          api.slack.com/apps
        </a>
        , under Incoming Webhooks. Stored encrypted, and not shown again.
      </>
    ),
  },
  webhook: {
    label: 'URL',
    placeholder: 'https://ops.example/alerts',
    hint: 'Receives each alert as a JSON POST, signed according to Standard Webhooks. It must be reachable from the internet.',
  },
};

/** Shows a webhook's signing secret, once. */
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
            The receiver uses it to verify that alerts come from this service. Store it there now: it{' '}
            <strong>can’t be shown again</strong>, only replaced.
          </>
        }
      />
    </Dialog>
  );
}
