import type { Topic } from '@ghostlight/core/conversion';
import { topicName } from '../../../features/conversions/topics.ts';
import type { Platform } from '../../../features/destinations/api.ts';
import { Dialog } from '../../../parts/Dialog.tsx';

interface LiveTestDialogProps {
  platform: Platform;
  topic: Topic;
  pending: boolean;
  onSend: () => void;
  onClose: () => void;
}

export function LiveTestDialog({ platform, topic, pending, onSend, onClose }: LiveTestDialogProps) {
  return (
    <Dialog title="Send a real event?" onClose={onClose}>
      <p>
        {platform.title} has no test mode: this {topicName(topic).toLowerCase()} of the sample will be taken
        for a real one and counts in its reports.
      </p>
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
        <button type="button" className="button button-danger" disabled={pending} onClick={onSend}>
          {pending ? 'Sending…' : 'Send it'}
        </button>
      </div>
    </Dialog>
  );
}
