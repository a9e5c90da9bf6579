import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { Miniflare } from 'miniflare';
import { expect, it } from 'vitest';
import golden from '../../vectors/manifest.json' with { type: 'json' };

async function bundle(contents: string, minify = false): Promise<string> {
  const resolveDir = fileURLToPath(new URL('.', import.meta.url));
  const built = await build({
    stdin: { contents, resolveDir, loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
    // Neither `node` nor any built-in: what needs one fails to bundle.
    platform: 'neutral',
    minify,
  });
  return built.outputFiles[0]?.text ?? '';
}

it('signs and verifies inside workerd as in Node', async () => {
  const script = await bundle(`
    import golden from '../../vectors/manifest.json' with { type: 'json' };
    import { generateSigningKey, importSigningKey, signManifest, verifyManifest } from './index.ts';
    const verify = (document, jwks) => verifyManifest(document, {
      host: golden.host, trust: [golden.issuer], fetchJwks: async () => jwks, now: Date.parse(golden.now),
    });
    export default {
      async fetch() {
        const { kid, jku, body } = golden;
        const privateKey = await importSigningKey(golden.private_jwk);
        const document = await signManifest(body, { privateKey, kid, jku });
        const fresh = await generateSigningKey();
        const own = { privateKey: await importSigningKey(fresh.privateJwk), kid: fresh.kid, jku };
        return Response.json({
          document,
          good: await verify(document, golden.jwks),
          fresh: await verify(await signManifest(body, own), { keys: [fresh.publicJwk] }),
          tampered: await verify(document.replace('Puts', 'Pays'), golden.jwks),
        });
      },
    };`);
  const runtime = new Miniflare({ modules: true, script, compatibilityDate: '2026-04-01' });
  try {
    const response = await runtime.dispatchFetch('http://manifest.example/');
    expect(await response.json()).toMatchObject({
      document: golden.document,
      good: { ok: true, kid: golden.kid },
      fresh: { ok: true, issuer: golden.issuer },
      tampered: { ok: false, error: 'bad_signature' },
    });
  } finally {
    await runtime.dispose();
  }
});

it('costs a bundle that uses other parts of core nothing', async () => {
  const without = await bundle("export { truncateIp } from '../index.ts';");
  expect(without).toContain('truncateIp');
  for (const trace of ['webmcp', 'Ed25519', 'json-schema', 'CanonicalError', 'StrictJsonError'])
    expect(without).not.toContain(trace);
});

it('costs a browser that verifies less than 16 kB', async () => {
  const verifier = await bundle("export { verifyManifest } from './index.ts';", true);
  expect(verifier.length).toBeLessThan(16_000);
});
