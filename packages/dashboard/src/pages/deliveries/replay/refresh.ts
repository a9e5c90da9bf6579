import type { QueryClient } from '@tanstack/react-query';

/** Everything that counts or lists deliveries is asked for again. */
export async function refreshDeliveries(queryClient: QueryClient, propertyId: string): Promise<void> {
  await Promise.all(
    ['deliveries', 'deliveries-latest', 'delivery', 'forwarding-report', 'destinations'].map((name) =>
      queryClient.invalidateQueries({ queryKey: [name, propertyId] }),
    ),
  );
}
