import { expect, it } from 'vitest';
import { keyDigest } from './format.ts';
import { presentedKey } from './presented.ts';
import { createKeyVerifier } from './verifier.ts';

const KEY = `svc_cf_${'a'.repeat(43)}`;
const OTHER = `svc_cf_${'b'.repeat(43)}`;
const present = (key: string) => presentedKey({ header: key, query: undefined });

it('gives up on a database that hangs within a second or so, and goes on taking the keys that it knows', async () => {
  const verifier = createKeyVerifier({
    load: (digest) =>
      digest === keyDigest(KEY)
        ? Promise.resolve({
            ...{
              id: 'k',
              organizationId: 'o',
              attributionId: null,
              provider: 'edge_worker',
              prefix: 'svc_cf_aaaaa',
            },
            digest,
            revoked: false,
          })
        : new Promise(() => undefined),
    onUse: () => undefined,
    clock: () => 0,
  });
  expect(await verifier.verify(present(KEY))).toMatchObject({ ok: true });
  await expect(verifier.verify(present(OTHER))).rejects.toMatchObject({ code: 'unavailable' });
  expect(verifier.peek(present(KEY))).toMatchObject({ ok: true });
});
