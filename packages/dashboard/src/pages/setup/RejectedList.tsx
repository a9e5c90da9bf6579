import { useQuery } from '@tanstack/react-query';
import { queries } from '../../api/queries.ts';
import { visible } from '../../format/visible.ts';
import { Time } from '../../parts/Time.tsx';

/** The newest refused elements as they came. A stranger wrote them: they are text and nothing else. */
export function RejectedList({ propertyId }: { propertyId: string }) {
  const { data } = useQuery(queries.rejected(propertyId));
  if (data === undefined || data.length === 0) return null;
  return (
    <section>
      <h3>Rejected lately</h3>
      <ul className="rejected">
        {data.map(({ id, at, reason, field, body }) => (
          <li key={id}>
            <div className="source-head">
              <code>{field === null ? reason : `${field}: ${reason}`}</code>
              <Time value={at} form="ago" />
            </div>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
            <pre tabIndex={0}>{body.split('\n').map(visible).join('\n')}</pre>
          </li>
        ))}
      </ul>
    </section>
  );
}
