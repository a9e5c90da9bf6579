import { useQuery } from '@tanstack/react-query';
import type { Property } from '../../../api/types.ts';
import { webhooksQueries } from '../../../features/webhooks/api.ts';

/** The webhook key that a request came with, by its name; one that is not listed, by its beginning. */
export function KeyName({ property, prefix }: { property: Property; prefix: string }) {
  const name = useQuery(webhooksQueries.keys(property.id)).data?.find((key) => key.prefix === prefix)?.name;
  return name === undefined ? (
    <code>{prefix}…</code>
  ) : (
    <span className="cell-clip" title={`${prefix}…`}>
      {name}
    </span>
  );
}
