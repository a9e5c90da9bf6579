import type { QueryClient } from '@tanstack/react-query';

/** Reloads everything that counts or lists deliveries. */
export async function refreshDeliveries(queryClient: QueryClient, propertyId: string): Promise<void> {
  await Promise.all(
    [
      'deliveries',
      'deliveries-latest',
      'delivery',
      'deliveries-failed',
      'forwarding-report',
      'destinations',
    ].map((name) => queryClient.invalidateQueries({ queryKey: [name, propertyId] })),
  );
}
