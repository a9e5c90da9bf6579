import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Property } from '../../api/types.ts';
import { topicUrl } from '../../features/conversions/topics.ts';
import { webhooksQueries } from '../../features/webhooks/api.ts';
import { CodeBlock } from '../../parts/CopyButton.tsx';
import { IconArrow, IconCheck } from '../../parts/icons.tsx';
import { Step } from '../../parts/Section.tsx';
import type { Form } from './search.ts';
import { serverSnippet, visitorSnippet } from './snippets.ts';

export function VisitorStep({ property, form }: { property: Property; form: Form }) {
  const settings = useQuery(webhooksQueries.settings(property.id)).data;
  const params = { propertyId: property.id };
  return (
    <Step number={3} title="Send the visitor ID to your server">
      <p>
        An order is matched to a visit by the ID from <code>getVisitorId()</code>. Send it with the order and
        store it with the order.
      </p>
      <CodeBlock wrap title="In the page" what="the page’s code" code={visitorSnippet(form)} />
      <p>
        Your server posts it with the conversion. That needs a key:{' '}
        <Link to="/p/$propertyId/webhooks" params={params}>
          Webhooks
        </Link>{' '}
        has examples for curl, PHP and Python
        {settings !== undefined && !settings.enabled && ', once receiving is enabled there'}.
      </p>
      {settings !== undefined && (
        <CodeBlock
          wrap
          title="On the server, Node"
          what="the server’s code"
          code={serverSnippet(topicUrl(settings.endpoint, 'purchase'))}
        />
      )}
    </Step>
  );
}

export function SafariStep({ property, verified }: { property: Property; verified: string | null }) {
  return (
    <Step number={5} title="Recognise Safari visitors after seven days">
      <p>
        Safari deletes script-written storage after <strong>seven days</strong>, or after one day if the visit
        came through a decorated ad link. A person who buys on the eighth day is then a new visitor, and the
        campaign gets no credit.
      </p>
      {verified === null ? (
        <>
          <p>
            A cookie that a server of your own domain sets is kept. With a custom tracking domain such as{' '}
            <code>track.{property.domain}</code>, this service is that server.
          </p>
          <Link
            to="/p/$propertyId/webhooks"
            params={{ propertyId: property.id }}
            search={{ view: 'settings' }}
            className="button"
          >
            Add a custom domain
            <IconArrow />
          </Link>
        </>
      ) : (
        <p className="held">
          <IconCheck />
          <span>
            <code>{verified}</code> is verified, and the snippet above sends to it: the service sets the
            visitor’s cookie there.
          </span>
        </p>
      )}
    </Step>
  );
}
