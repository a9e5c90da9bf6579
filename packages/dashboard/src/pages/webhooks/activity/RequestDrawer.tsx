import { useQuery } from '@tanstack/react-query';
import type { Property } from '../../../api/types.ts';
import { MatchMark } from '../../../features/conversions/MatchMark.tsx';
import { topicName } from '../../../features/conversions/topics.ts';
import { webhooksQueries } from '../../../features/webhooks/api.ts';
import { Drawer } from '../../../parts/Drawer.tsx';
import { ErrorState, Skeleton } from '../../../parts/states.tsx';
import { RequestDetails } from './RequestDetails.tsx';
import { StatusMark } from './StatusMark.tsx';

interface RequestDrawerProps {
  property: Property;
  requestId: string;
  onClose: () => void;
}

export function RequestDrawer({ property, requestId, onClose }: RequestDrawerProps) {
  const { data, error, refetch } = useQuery(webhooksQueries.request(property.id, requestId));
  return (
    <Drawer
      label="Request details"
      title={data === undefined ? 'Request' : topicName(data.topic)}
      onClose={onClose}
      marks={
        data !== undefined && (
          <>
            <StatusMark status={data.status} />
            {data.status === 'success' && <MatchMark item={data} />}
          </>
        )
      }
    >
      {data !== undefined && <RequestDetails property={property} item={data} />}
      {data === undefined && error === null && <Skeleton lines={6} label="Loading the request" />}
      {data === undefined && error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
    </Drawer>
  );
}
