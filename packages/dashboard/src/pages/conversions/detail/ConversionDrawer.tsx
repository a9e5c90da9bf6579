import { useQuery } from '@tanstack/react-query';
import type { Property } from '../../../api/types.ts';
import { conversionsQueries } from '../../../features/conversions/api.ts';
import { MatchMark } from '../../../features/conversions/MatchMark.tsx';
import { nameOf } from '../../../features/conversions/topics.ts';
import { Drawer } from '../../../parts/Drawer.tsx';
import { ErrorState, Skeleton } from '../../../parts/states.tsx';
import { ConversionDetails } from './ConversionDetails.tsx';

interface ConversionDrawerProps {
  property: Property;
  conversionId: string;
  onOpen: (id: string) => void;
  onFind: (orderId: string) => void;
  onClose: () => void;
}

export function ConversionDrawer({ property, conversionId, onOpen, onFind, onClose }: ConversionDrawerProps) {
  const { data, error, refetch } = useQuery(conversionsQueries.conversion(property.id, conversionId));
  return (
    <Drawer
      label="Conversion details"
      title={data === undefined ? 'Conversion' : nameOf(data)}
      marks={data !== undefined && <MatchMark item={data} />}
      onClose={onClose}
    >
      {data !== undefined && (
        <ConversionDetails property={property} item={data} onOpen={onOpen} onFind={onFind} />
      )}
      {data === undefined && error === null && <Skeleton lines={8} label="Loading the conversion" />}
      {data === undefined && error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
    </Drawer>
  );
}
