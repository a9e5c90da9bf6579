import { useQuery } from '@tanstack/react-query';
import type { Property } from '../../api/types.ts';
import { PageHead } from '../../features/page/PageHead.tsx';
import { useProperty } from '../../features/property/useProperty.ts';
import { ErrorState, Skeleton } from '../../parts/states.tsx';
import '../../styles/workspace.css';
import './styles/index.css';
import { webmcpQueries } from './api.ts';
import { Workspace } from './Workspace.tsx';

const ABOUT =
  'Tools that AI agents can find on your site before they open a page, in a signed document at /.well-known/webmcp.json.';

export function WebmcpPage() {
  const property = useProperty();
  return property === null ? null : <Loaded key={property.id} property={property} />;
}

function Loaded({ property }: { property: Property }) {
  const { data, error, refetch } = useQuery(webmcpQueries.state(property.id));
  if (data !== undefined) return <Workspace property={property} state={data} about={ABOUT} />;
  return (
    <>
      <PageHead title="WebMCP" about={ABOUT} />
      {error === null ? (
        <Skeleton lines={7} label="Loading tools" />
      ) : (
        <ErrorState error={error} onRetry={() => void refetch()} />
      )}
    </>
  );
}
