import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Property } from '../../api/types.ts';
import { topicUrl } from '../../features/conversions/topics.ts';
import { webhooksQueries } from '../../features/webhooks/api.ts';
import { CodeBlock } from '../../parts/CopyButton.tsx';
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
