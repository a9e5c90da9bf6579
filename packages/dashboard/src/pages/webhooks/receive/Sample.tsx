import { Link } from '@tanstack/react-router';
import type { Property } from '../../../api/types.ts';
import { topicUrl } from '../../../features/conversions/topics.ts';
import { useHeldKeys } from '../../../features/keys/HeldKeys.tsx';
import { heldName } from '../../../features/webhooks/api.ts';
import { CodeBlock } from '../../../parts/CopyButton.tsx';
import { Segments } from '../../../parts/Switch.tsx';
import { EXAMPLE_VISITOR, exampleBody } from '../model/bodies.ts';
import { KEY_PLACEHOLDER, sample } from '../model/samples.ts';
import { type Language, useChoice } from '../search.ts';

const LANGUAGE_NAMES: readonly (readonly [Language, string])[] = [
  ['curl', 'curl'],
  ['node', 'Node'],
  ['php', 'PHP'],
  ['python', 'Python'],
];

export interface PostingProps {
  property: Property;
  /** Of the property's webhooks, without a topic. */
  endpoint: string;
}

export function Sample({ property, endpoint }: PostingProps) {
  const [{ topic, language, size }, choose] = useChoice();
  const key = useHeldKeys().keyFor(heldName(property.id));
  const body = exampleBody(topic, size);
  const code = sample(language, { url: topicUrl(endpoint, topic), key, body });
  const title = LANGUAGE_NAMES.find(([name]) => name === language)?.[1] ?? language;
  return (
    <>
      <div className="sample-choices">
        <Segments
          legend="Language"
          value={language}
          options={LANGUAGE_NAMES}
          onChoose={(chosen) => choose({ language: chosen })}
        />
        <Segments
          legend="Body"
          value={size}
          options={[
            ['minimal', 'Minimal'],
            ['full', 'Full'],
          ]}
          onChoose={(chosen) => choose({ size: chosen })}
        />
      </div>
      <CodeBlock title={title} what="the code" code={code} />
      {key === null && (
        <p>
          <code>{KEY_PLACEHOLDER}</code> stands for a key: create one above and it is filled in.
        </p>
      )}
      {'visitor_id' in body ? (
        <p>
          Replace <code className="break">{EXAMPLE_VISITOR}</code> with the ID that your page sent along:{' '}
          <code>ghostlight.getVisitorId()</code> in the browser, see{' '}
          <Link to="/p/$propertyId/sdk" params={{ propertyId: property.id }}>
            Browser script
          </Link>
          .
        </p>
      ) : (
        <p>
          {topic === 'refund'
            ? 'A refund needs no visitor: it inherits the match of its order.'
            : 'Without visitor_id it is recorded, but not matched to a visit. Choose “Full” to see the field.'}
        </p>
      )}
      <p>
        The answer is <code>200</code> with <code>session_matched</code>. Posting the same body again returns
        the same answer with <code>"duplicate": true</code> and changes nothing.
      </p>
    </>
  );
}
