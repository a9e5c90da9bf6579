/** What is asked for where a channel leads. */
import { IssuedKeyNotice } from '../../../features/keys/IssuedKeyNotice.tsx';
import { Dialog } from '../../../parts/Dialog.tsx';
import type { ChannelType } from '../api.ts';

interface TargetWords {
  readonly label: string;
  readonly placeholder: string;
  readonly hint: string;
}

export const TARGETS: Readonly<Record<ChannelType, TargetWords>> = {
  email: {
    label: 'E-mail address',
    placeholder: 'ops@shop.example',
    hint: 'One address; a list of people is a list of channels, or an address of the mail server.',
  },
  slack: {
    label: 'Address of the incoming webhook',
    placeholder: 'https://hooks.slack.com/services/…',
    hint: 'Slack gives it for one of its own conversations, at api.slack.com/apps under Incoming Webhooks. It is kept sealed and not shown again.',
  },
  webhook: {
    label: 'URL',
    placeholder: 'https://ops.example/alerts',
    hint: 'It gets each alert as JSON by POST, signed as Standard Webhooks says. It has to be reachable from the internet.',
  },
};

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
