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
    <Step number={3} title="Hand the visitor’s id to your server">
      <p>
        The one thing that ties an order to a visit is the id that <code>getVisitorId()</code> says. Send it
        along when the order is placed, and keep it with the order.
      </p>
      <CodeBlock title="In the page" what="the page’s code" code={visitorSnippet(form)} />
      <p>
        Your server posts it with the conversion. That needs a key:{' '}
        <Link to="/p/$propertyId/webhooks" params={params}>
          Webhooks
        </Link>{' '}
        has the same for curl, PHP and Python
        {settings !== undefined && !settings.enabled && ', once receiving is enabled there'}.
      </p>
      {settings !== undefined && (
        <CodeBlock
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
    <Step number={5} title="Keep Safari’s visitors for longer than seven days">
      <p>
        Safari deletes after <strong>seven days</strong> what a script has stored, and after one day what it
        stored on a page that was reached through a decorated ad link. Whoever buys on the eighth day is then
        a new visitor, and the campaign goes without its credit.
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
