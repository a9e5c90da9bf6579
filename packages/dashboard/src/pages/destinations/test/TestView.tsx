import { TOPICS, type Topic } from '@ghostlight/core/conversion';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../../api/client.ts';
import { topicName } from '../../../features/conversions/topics.ts';
import { destinationsApi, type Platform, type TestOrder } from '../../../features/destinations/api.ts';
import { useAnnounce } from '../../../parts/Announcer.tsx';
import { Dialog, DialogActions } from '../../../parts/Dialog.tsx';
import { Select } from '../../../parts/Select.tsx';
import { ErrorState } from '../../../parts/states.tsx';
import { TextInput } from '../../../parts/TextInput.tsx';
import { mappingRows } from '../model/mapping.ts';
import { resultMessage } from '../model/test-messages.ts';
import type { DestinationViewProps } from '../views.ts';
import { TestResultPanel } from './TestResultPanel.tsx';

const MAX_CODE = 200;

const ACTIONS: Readonly<Record<Platform['test']['kind'], string>> = {
  validate: 'Check with the platform',
  code: 'Send the test event',
  none: 'Show the request',
};

/** Sends a sample conversion like a real one, without counting it. */
export function TestView({ property, platform, destination }: DestinationViewProps) {
  const announce = useAnnounce();
  const topics = TOPICS.filter((topic) => platform.events.defaults[topic].kind !== 'unsupported');
  const mapped = mappingRows(platform.events, destination.events);
  const isReady = (topic: Topic) =>
    mapped.some(
      (row) => row.key === topic && !['off', 'needs_mapping', 'unsupported'].includes(row.effect.is),
    );
  const [topic, setTopic] = useState<Topic>(() => topics.find(isReady) ?? topics[0] ?? 'purchase');
  const [code, setCode] = useState('');
  const [asking, setAsking] = useState(false);
  const test = useMutation({
    mutationFn: (order: TestOrder) => destinationsApi.test(property.id, destination.id, order),
    onSuccess: (result) => announce(resultMessage(result).title),
    onSettled: () => setAsking(false),
  });
  const { kind, explanation } = platform.test;
  const refused = test.error instanceof ApiError ? test.error.field('code') : undefined;
  const order = { topic, ...(code.trim() === '' ? {} : { code: code.trim() }) };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    test.mutate(order);
  };
  return (
    <div className="test-view">
      <form className="card panel test-form" onSubmit={submit}>
        <h2>Send a test event</h2>
        <p className="aside">{explanation}</p>
        <Select
          label="Topic"
          value={topic}
          options={topics.map((one) => [one, topicName(one)])}
          onChoose={setTopic}
          hint="A sample order with two products."
        />
        {kind === 'code' && (
          <TextInput
            label="Test code"
            code
            maxLength={MAX_CODE}
            placeholder="From the platform’s test view"
            value={code}
            onText={setCode}
            problem={refused === undefined ? undefined : { message: refused, severity: 'error' }}
          />
        )}
        {test.error !== null && refused === undefined && <ErrorState error={test.error} />}
        <div className="form-actions">
          <button type="submit" className="button button-primary" disabled={test.isPending}>
            {test.isPending ? 'One moment…' : ACTIONS[kind]}
          </button>
          {kind === 'none' && (
            <button
              type="button"
              className="button"
              disabled={test.isPending}
              onClick={() => setAsking(true)}
            >
              Send a real event…
            </button>
          )}
        </div>
      </form>
      {test.data === undefined ? (
        <div className="card panel test-empty">
          <p className="aside">
            The result appears here: the request, with secrets and personal data masked, and the answer of the
            platform.
          </p>
        </div>
      ) : (
        <TestResultPanel platform={platform} result={test.data} stale={test.isPending} />
      )}
      {asking && (
        <LiveTestDialog
          platform={platform}
          topic={topic}
          pending={test.isPending}
          onSend={() => test.mutate({ ...order, live: true })}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}

interface LiveTestDialogProps {
  platform: Platform;
  topic: Topic;
  pending: boolean;
  onSend: () => void;
  onClose: () => void;
}

function LiveTestDialog({ platform, topic, pending, onSend, onClose }: LiveTestDialogProps) {
  return (
    <Dialog title="Send a real event?" onClose={onClose}>
      <p>
        {platform.title} has no test mode: this sample {topicName(topic).toLowerCase()} will count as a real
        one in its reports.
      </p>
      <DialogActions onCancel={onClose} onAct={onSend} disabled={pending} danger>
        {pending ? 'Sending…' : 'Send it'}
      </DialogActions>
    </Dialog>
  );
}
