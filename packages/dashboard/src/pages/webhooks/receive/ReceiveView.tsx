import { TOPICS } from '@ghostlight/core/conversion';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Property } from '../../../api/types.ts';
import { TOPIC_WORDS, topicUrl } from '../../../features/conversions/topics.ts';
import { OutOfReach } from '../../../features/property/OutOfReach.tsx';
import { type WebhookSettings, webhooksQueries } from '../../../features/webhooks/api.ts';
import { CopyButton } from '../../../parts/CopyButton.tsx';
import { Step } from '../../../parts/Section.tsx';
import { Select } from '../../../parts/Select.tsx';
import { Skeleton } from '../../../parts/states.tsx';
import { WebhookKeys } from '../keys/WebhookKeys.tsx';
import { useChoice } from '../search.ts';
import { Coded } from './Coded.tsx';
import { LatestRequests } from './LatestRequests.tsx';
import { type PostingProps, Sample } from './Sample.tsx';

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

/** The steps to the first conversion; once conversions arrive, the keys, the endpoint and a sample without numbers. */
function Steps({ property, endpoint, isRunning }: StepsProps) {
  // Decided once: a setup under way does not fold when its first request arrives.
  const [isFolded] = useState(isRunning);
  if (isFolded) return <Running property={property} endpoint={endpoint} />;
  return (
    <>
      <Step number={1} title="Create a key">
        <WebhookKeys property={property} />
      </Step>
      <Step number={2} title="Choose what to post">
        <Endpoint property={property} endpoint={endpoint} />
      </Step>
      <Step number={3} title="Post it from your server">
        <Sample property={property} endpoint={endpoint} />
      </Step>
    </>
  );
}

/** The keys, the endpoint, and what another sender posts. */
function Running({ property, endpoint }: PostingProps) {
  return (
    <>
      <section className="running-keys" aria-labelledby="webhook-keys-title">
        <WebhookKeys property={property} heading={<h2 id="webhook-keys-title">Webhook keys</h2>} />
      </section>
      <section className="running-keys" aria-labelledby="webhook-endpoint-title">
        <h2 id="webhook-endpoint-title">Where to post</h2>
        <Endpoint property={property} endpoint={endpoint} />
      </section>
      <section className="running-keys running-sample" aria-labelledby="webhook-sample-title">
        <h2 id="webhook-sample-title">Sample request</h2>
        <Sample property={property} endpoint={endpoint} />
      </section>
    </>
  );
}

function Endpoint({ property, endpoint }: PostingProps) {
  const domains = useQuery(webhooksQueries.domains(property.id)).data;
  const verified = domains?.find(({ state }) => state === 'verified');
  const [{ topic }, choose] = useChoice();
  const { about, needs } = TOPIC_WORDS[topic];
  const url = topicUrl(endpoint, topic);
  return (
    <>
      <OutOfReach address={endpoint} before="you post from another machine" />
      <div className="topic-select">
        <Select
          label="Type of conversion"
          value={topic}
          options={TOPICS.map((one) => [one, TOPIC_WORDS[one].name] as const)}
          onChoose={(one) => choose({ topic: one })}
        />
      </div>
      <div className="setting endpoint-url">
        <code className="break">{url}</code>
        <CopyButton labelled text={url} what="the endpoint" />
      </div>
      <p>
        <Coded text={about} /> <strong>Required:</strong> <Coded text={needs} />.
      </p>
      {verified !== undefined && (
        <p>
          You can also use <code>{verified.domain}</code> as the host.
        </p>
      )}
    </>
  );
}
