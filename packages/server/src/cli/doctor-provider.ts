/** What `ghostlight doctor` finds at the provider of sign-ins. It asks itself, from where the service asks. */
import type { Config } from '../config.ts';
import type { Finding } from './doctor-storage.ts';

export async function providerFindings({ oidc, destinationHosts }: Config): Promise<readonly Finding[]> {
  if (oidc === null) return [];
  // Not at import: no other check needs them.
  const [{ examineProvider }, { createSend }] = await Promise.all([
    import('../accounts/index.ts'),
    import('../outbound/index.ts'),
  ]);
  return await examineProvider(oidc, { send: createSend({ hosts: destinationHosts }), clock: Date.now });
}
