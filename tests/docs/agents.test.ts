/** The verifiers that docs/agents.md shows, run as they stand against good, tampered and rotated manifests. */
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import {
  canonicalize,
  formatManifestTime,
  generateSigningKey,
  importSigningKey,
  MANIFEST_ERRORS,
  type ManifestBody,
  type PublicJwk,
  signManifest,
} from '@ghostlight/core/manifest';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = `${root}examples/verify-manifest/`;
const guide = readFileSync(`${root}docs/agents.md`, 'utf8');

/** What the site and its issuer answer at this moment. */
interface World {
  /** What a cache on the way holds. */
  cached: string;
  /** What is answered past the cache. */
  fresh: string;
  keys: PublicJwk[];
  /** Where the issuer's JWKS redirects to, if it does. */
  redirect: string | null;
}
const world: World = { cached: '', fresh: '', keys: [], redirect: null };

let server: Server;
let address: string;
type Key = Awaited<ReturnType<typeof generateSigningKey>>;
let key: Key;
let other: Key;

beforeAll(async () => {
  server = createServer((request, response) => {
    const path = request.url ?? '';
    if (path === '/.well-known/webmcp.json') {
      response.end(request.headers['cache-control'] === 'no-cache' ? world.fresh : world.cached);
    } else if (path === '/jwks.json' && world.redirect !== null) {
      response.writeHead(302, { location: world.redirect }).end();
    } else if (path === '/jwks.json' || path === '/moved.json') {
      response.end(JSON.stringify({ keys: world.keys }));
    } else {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  key = await generateSigningKey();
  other = await generateSigningKey();
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

function bodyOf(members: Partial<ManifestBody> = {}): ManifestBody {
  return {
    version: '1.0',
    attribution_id: '0e9b2c54-7c0a-4a1e-9a53-2f6f6d1c8b11',
    hosts: ['127.0.0.1'],
    issued_at: formatManifestTime(Date.now() - 3_600_000),
    expires_at: formatManifestTime(Date.now() + 3_600_000),
    tools: [
      {
        name: 'search',
        description: 'Finds – “größer”, 靴, 👟,\n<b>&</b> \u2028.',
        inputSchema: { type: 'object', properties: { Z: {}, a: { maxLength: 9_007_199_254_740_991 } } },
        endpoint: 'https://shop.example/mcp',
      },
    ],
    ...members,
  };
}

async function sign(body: ManifestBody, by = key, jku = `${address}/jwks.json`): Promise<string> {
  return signManifest(body, { privateKey: await importSigningKey(by.privateJwk), kid: by.kid, jku });
}

/** A flawless signature of the right key under a header that no manifest has. */
async function signWith(members: object): Promise<string> {
  const jku = `${address}/jwks.json`;
  const header = { alg: 'EdDSA', typ: 'webmcp-manifest+jws', kid: key.kid, jku, ...members };
  const encode = (text: string) => Buffer.from(text).toString('base64url');
  const encoded = encode(JSON.stringify(header));
  const input = Buffer.from(`${encoded}.${encode(canonicalize(bodyOf()))}`);
  const signature = await crypto.subtle.sign('Ed25519', await importSigningKey(key.privateJwk), input);
  const signed = Buffer.from(signature).toString('base64url');
  return canonicalize({ ...bodyOf(), signature: `${encoded}..${signed}` });
}

function serve(document: string): void {
  world.cached = document;
  world.fresh = document;
}

beforeEach(async () => {
  serve(await sign(bodyOf()));
  world.keys = [other.publicJwk, key.publicJwk];
  world.redirect = null;
});

const present = (command: string, ...args: string[]) => spawnSync(command, args).status === 0;
const python = present('python3', '-c', 'import cryptography');
const shell =
  present('jq', '--version') &&
  present('curl', '--version') &&
  present('bash', '-c', 'openssl version | grep -Eq "^OpenSSL ([3-9]|[1-9][0-9])"');

const examples = [
  { file: 'verify.mjs', command: process.execPath, missing: null, pastCache: [] },
  { file: 'verify-with-core.mjs', command: process.execPath, missing: null, pastCache: [] },
  {
    file: 'verify.py',
    command: 'python3',
    missing: python ? null : 'python3 with the package cryptography',
    pastCache: [],
  },
  {
    file: 'verify.sh',
    command: 'bash',
    missing: shell ? null : 'jq, curl and openssl 3',
    // It asks once: the document tells to run it again like this.
    pastCache: ['-H', 'Cache-Control: no-cache'],
  },
];

function run(example: (typeof examples)[number], args: string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    execFile(
      example.command,
      [folder + example.file, ...args],
      { cwd: root, timeout: 60_000 },
      (error, stdout) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
        resolve({ code, output: stdout });
      },
    );
  });
}

describe.each(examples)('$file', (example) => {
  const accepts = async (args = [address, address]) => {
    const { code, output } = await run(example, args);
    expect([code, code === 0 ? JSON.parse(output) : output]).toEqual([0, bodyOf().tools]);
  };
  const refuses = async (args = [address, address]) => {
    const { code, output } = await run(example, [...args, ...example.pastCache]);
    expect(code).toBe(1);
    expect(output).not.toContain('größer');
  };
  const check = (name: string, test: () => Promise<void>) =>
    it(name, async (context) => {
      if (example.missing !== null) context.skip(`needs ${example.missing}`);
      await test();
    });

  it('is in the documentation as it is', () => {
    expect(guide).toContain(`\n${readFileSync(folder + example.file, 'utf8')}\`\`\`\n`);
  });

  check('prints the tools of a good manifest', () => accepts());
  check('goes past a cache that holds a copy from before the rotation', async () => {
    world.keys = [other.publicJwk];
    world.fresh = await sign(bodyOf(), other);
    await accepts([address, address, ...example.pastCache]);
  });
  check('refuses a tampered body', async () => {
    serve(world.cached.replace('shop.example/mcp', 'evil.example/mcp'));
    await refuses();
  });
  check('refuses a manifest whose key was rotated away', async () => {
    world.keys = [other.publicJwk];
    await refuses();
  });
  check('refuses an issuer that is not trusted, however good its signature', async () => {
    await refuses([address, 'https://app.example']);
    await refuses([address, address.slice(0, -1)]);
  });
  check('refuses another key under the right name', async () => {
    serve(await sign(bodyOf(), { ...other, kid: key.kid }));
    await refuses();
  });
  check('refuses a manifest that was lifted from another site', async () => {
    serve(await sign(bodyOf({ hosts: ['shop.example'] })));
    await refuses();
  });
  check('refuses what has expired and what is of the future', async () => {
    serve(await sign(bodyOf({ expires_at: formatManifestTime(Date.now() - 5_000) })));
    await refuses();
    serve(await sign(bodyOf({ issued_at: formatManifestTime(Date.now() + 600_000) })));
    await refuses();
  });
  check('refuses what the right key has signed for something else', async () => {
    for (const header of [{ alg: 'HS256' }, { alg: 'none' }, { typ: 'JWT' }, { crit: ['b64'] }]) {
      serve(await signWith(header));
      await refuses();
    }
  });
  check('refuses a document without a signature in it', async () => {
    const { signature } = JSON.parse(world.cached) as { signature: string };
    serve(JSON.stringify({ ...bodyOf(), signature: `${signature.split('.')[0]}..` }));
    await refuses();
  });
  check('does not follow a redirect of the key set', async () => {
    world.redirect = `${address}/moved.json`;
    await refuses();
  });
  check('refuses a document that is none', async () => {
    serve('<!doctype html>');
    await refuses();
    serve(JSON.stringify(bodyOf()));
    await refuses();
  });
});

describe('the canonical form', () => {
  const text = fc.string({ unit: 'binary' }).filter((value) => !value.includes('\u007f'));
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(null, true, false),
      fc.maxSafeInteger(),
      text,
      fc.array(tie('any'), { maxLength: 4 }),
      fc.dictionary(fc.string({ unit: 'grapheme-ascii' }), tie('any'), { maxKeys: 5 }),
    ),
  })).any;
  const documents = fc.sample(
    fc.dictionary(fc.string({ unit: 'grapheme-ascii' }), value, { maxKeys: 6 }),
    300,
  );
  const input = documents.map((document) => `${JSON.stringify(document)}\n`).join('');
  const expected = documents.map((document) => `${canonicalize(document)}\n`).join('');
  const filter = (command: string, args: string[]) => execFileSync(command, args, { input }).toString();

  it.skipIf(!present('jq', '--version'))('is what jq -cS writes (needs jq)', () => {
    expect(filter('jq', ['-cS', '.'])).toBe(expected);
  });

  it.skipIf(!present('python3', '--version'))('is what Python’s json writes (needs python3)', () => {
    const script = `import json, sys
for line in sys.stdin.buffer:
    text = json.dumps(json.loads(line), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    sys.stdout.buffer.write(text.encode() + b"\\n")`;
    expect(filter('python3', ['-c', script])).toBe(expected);
  });
});

describe('the guide', () => {
  it('lists every error of the verifier with its meaning, and no other', () => {
    const rows = [...guide.matchAll(/^\| `([a-z0-9_]+)` \| (.*) \|$/gm)].map(([, code, means]) => [
      code,
      means,
    ]);
    expect(rows.filter(([code]) => String(code) in MANIFEST_ERRORS)).toEqual(Object.entries(MANIFEST_ERRORS));
    const table = guide.slice(guide.indexOf('| error | means |'));
    expect(table.match(/^\| `/gm)).toHaveLength(Object.keys(MANIFEST_ERRORS).length);
  });
});
