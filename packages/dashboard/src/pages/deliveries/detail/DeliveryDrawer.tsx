import { useQuery } from '@tanstack/react-query';
import type { Property } from '../../../api/types.ts';
import { nameOf } from '../../../features/conversions/topics.ts';
import { deliveriesQueries } from '../../../features/deliveries/api.ts';
import { statusWords } from '../../../features/deliveries/messages.ts';
import { Drawer } from '../../../parts/Drawer.tsx';
import { Mark } from '../../../parts/Sign.tsx';
import { ErrorState, Skeleton } from '../../../parts/states.tsx';
import { DeliveryDetails } from './DeliveryDetails.tsx';

interface DeliveryDrawerProps {
  property: Property;
  deliveryId: string;
  onClose: () => void;
}

export function DeliveryDrawer({ property, deliveryId, onClose }: DeliveryDrawerProps) {
  const { data, error, refetch } = useQuery(deliveriesQueries.delivery(property.id, deliveryId));
  return (
    <Drawer
      label="Delivery details"
      title={data === undefined ? 'Delivery' : `${nameOf(data)} to ${data.destination.name}`}
      marks={data !== undefined && <Mark {...statusWords(data.status)} />}
      onClose={onClose}
    >
      {data !== undefined && <DeliveryDetails property={property} item={data} />}
      {data === undefined && error === null && <Skeleton lines={8} label="Loading the delivery" />}
      {data === undefined && error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
    </Drawer>
  );
}
