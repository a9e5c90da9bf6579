import { TOPICS } from '@ghostlight/core/conversion';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Property } from '../../../api/types.ts';
import { TOPIC_WORDS, topicUrl } from '../../../features/conversions/topics.ts';
import { OutOfReach } from '../../../features/property/OutOfReach.tsx';
import { type WebhookSettings, webhooksQueries } from '../../../features/webhooks/api.ts';
import { CodeBlock } from '../../../parts/CopyButton.tsx';
import { Step } from '../../../parts/Section.tsx';
import { Skeleton } from '../../../parts/states.tsx';
import { WebhookKeys } from '../keys/WebhookKeys.tsx';
import { useChoice, type WebhooksSearch } from '../search.ts';
import { LatestRequests } from './LatestRequests.tsx';
import { type PostingStepProps, SampleStep } from './SampleStep.tsx';

/** The keys and how to post, with the latest requests beside them. */
export function ReceiveView({ property, settings }: { property: Property; settings: WebhookSettings }) {
  const { data, isPending } = useQuery(webhooksQueries.activity(property.id));
  return (
    <div className="setup">
      <div className="setup-steps">
        {isPending ? (
          <Skeleton lines={7} label="Loading webhooks" />
        ) : (
          <Steps
            property={property}
            endpoint={settings.endpoint}
            isRunning={data?.some(({ status }) => status === 'success') ?? false}
          />
        )}
      </div>
      <LatestRequests property={property} />
    </div>
  );
}

interface StepsProps {
  property: Property;
  endpoint: string;
  /** Requests arrive: the steps have been taken. */
  isRunning: boolean;
}

/** The steps to the first conversion; once conversions arrive, the keys, and the other steps folded. */
function Steps({ property, endpoint, isRunning }: StepsProps) {
  // Decided once: a set-up under way does not fold when its first request arrives.
  const [isFolded] = useState(isRunning);
  const first = isFolded ? 1 : 2;
  const posting = (
    <>
      <EndpointStep number={first} property={property} endpoint={endpoint} />
      <SampleStep number={first + 1} property={property} endpoint={endpoint} />
    </>
  );
  if (isFolded) return <Running property={property}>{posting}</Running>;
  return (
    <>
      <Step number={1} title="Issue a key">
        <WebhookKeys property={property} />
      </Step>
      {posting}
    </>
  );
}

/** The keys, and below them, folded, how another sender is set up. */
function Running({ property, children }: { property: Property; children: ReactNode }) {
  const search: WebhooksSearch = useSearch({ strict: false });
  // An address with choices of the steps is a link to them.
  const [isOpen, setOpen] = useState(
    search.topic !== undefined || search.language !== undefined || search.size !== undefined,
  );
  return (
    <>
      <section className="running-keys" aria-labelledby="webhook-keys-title">
        <h2 id="webhook-keys-title">Keys</h2>
        <WebhookKeys property={property} />
      </section>
      <details
        className="card running-steps"
        open={isOpen}
        onToggle={(event) => setOpen(event.currentTarget.open)}
      >
        <summary>
          Endpoint and sample requests{' '}
          <span className="quiet">for each topic, in curl, Node, PHP and Python</span>
        </summary>
        <div className="setup-steps">{children}</div>
      </details>
    </>
  );
}

function EndpointStep({ number, property, endpoint }: PostingStepProps) {
  const domains = useQuery(webhooksQueries.domains(property.id)).data;
  const verified = domains?.find(({ state }) => state === 'verified');
  const [{ topic }, choose] = useChoice();
  const { name, about, needs } = TOPIC_WORDS[topic];
  return (
    <Step number={number} title="Choose a topic">
      <fieldset className="topics">
        <legend className="visually-hidden">Topic</legend>
        {TOPICS.map((one) => (
          <label key={one} className="topic" data-chosen={one === topic}>
            <input
              type="radio"
              name="topic"
              checked={one === topic}
              onChange={() => choose({ topic: one })}
            />
            {TOPIC_WORDS[one].name}
          </label>
        ))}
      </fieldset>
      <p>
        {about} <strong>Required:</strong> {needs}.
      </p>
      <OutOfReach address={endpoint} isElsewhere={false} />
      <CodeBlock
        wrap
        title={`Endpoint, ${name.toLowerCase()}`}
        what="the endpoint"
        code={topicUrl(endpoint, topic)}
      />
      {verified !== undefined && (
        <p>
          You can also use <code>{verified.domain}</code> as the host.
        </p>
      )}
    </Step>
  );
}
