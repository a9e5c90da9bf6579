import { TOPICS } from '@ghostlight/core/conversion';
import { useQuery } from '@tanstack/react-query';
import type { Property } from '../../../api/types.ts';
import { TOPIC_WORDS, topicUrl } from '../../../features/conversions/topics.ts';
import { OutOfReach } from '../../../features/property/OutOfReach.tsx';
import { type WebhookSettings, webhooksQueries } from '../../../features/webhooks/api.ts';
import { CodeBlock } from '../../../parts/CopyButton.tsx';
import { Step } from '../../../parts/Section.tsx';
import { WebhookKeys } from '../keys/WebhookKeys.tsx';
import { useChoice } from '../search.ts';
import { LatestRequests } from './LatestRequests.tsx';
import { SampleStep } from './SampleStep.tsx';

/** The steps to the first conversion, with the latest requests beside them. */
export function ReceiveView({ property, settings }: { property: Property; settings: WebhookSettings }) {
  return (
    <div className="setup">
      <div className="setup-steps">
        <Step number={1} title="Issue a key">
          <WebhookKeys property={property} />
        </Step>
        <EndpointStep property={property} endpoint={settings.endpoint} />
        <SampleStep property={property} endpoint={settings.endpoint} />
      </div>
      <LatestRequests property={property} />
    </div>
  );
}

function EndpointStep({ property, endpoint }: { property: Property; endpoint: string }) {
  const domains = useQuery(webhooksQueries.domains(property.id)).data;
  const verified = domains?.find(({ state }) => state === 'verified');
  const [{ topic }, choose] = useChoice();
  const { name, about, needs } = TOPIC_WORDS[topic];
  return (
    <Step number={2} title="Choose a topic">
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
