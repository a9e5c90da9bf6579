/** Repositories as customers have them: the full source of a release, in the shapes from before 0.5.0. */
/** As in the tests of the running collector. */
export const ATTRIBUTION_ID = '3f2b8c1e-7a4d-4c52-9b0e-5d6f7a8b9c01';

export type Files = Readonly<Record<string, string>>;

export const OLD_TOML = `# Our edge collector. Ask Mira before changing routes!
name = "shop-collector"
main = "src/index.ts"   # entry
compatibility_date = "2025-03-01"

routes = [
  { pattern = "shop.example/*", zone_name = "shop.example" },
  { pattern = "*.shop.example/*", zone_name = "shop.example" }, # www and the rest
]

[vars]
SERVICE_INGEST_URL = "https://service.ghostlight.example/v1/logs/edge_worker"
SERVICE_ATTRIBUTION_ID = "${ATTRIBUTION_ID}"
SERVICE_BOTLIST_URL = "https://service.ghostlight.example/v1/config/ai-bots"
SERVICE_SAMPLE_RATE = "0"   # no samples, says legal
SERVICE_MANIFEST_URL = ""

[[kv_namespaces]]
binding = "WEBMCP_CACHE"
id = "0123456789abcdef0123456789abcdef"
`;

export const OLD_JSONC = `{
  // Our edge collector. Ask Mira before changing routes!
  "name": "shop-collector",
  "main": "src/index.ts",
  "compatibility_date": "2025-03-01",
  "routes": [
    { "pattern": "shop.example/*", "zone_name": "shop.example" },
    { "pattern": "*.shop.example/*", "zone_name": "shop.example" }, // www and the rest
  ],
  "vars": {
    "SERVICE_INGEST_URL": "https://service.ghostlight.example/v1/logs/edge_worker",
    "SERVICE_ATTRIBUTION_ID": "${ATTRIBUTION_ID}",
    "SERVICE_BOTLIST_URL": "https://service.ghostlight.example/v1/config/ai-bots",
    "SERVICE_SAMPLE_RATE": "0", /* no samples, says legal */
    "SERVICE_MANIFEST_URL": "",
  },
  "kv_namespaces": [{ "binding": "WEBMCP_CACHE", "id": "0123456789abcdef0123456789abcdef" }],
}
`;

const DEPENDENCIES = {
  dependencies: { isbot: '5.1.0' },
  devDependencies: { typescript: '5.4.0', vitest: '2.0.0', wrangler: '3.60.0' },
};

function manifest(version: string): string {
  const scripts = {
    dev: 'wrangler dev',
    deploy: 'npm test && wrangler deploy',
    test: 'vitest run',
    typecheck: 'tsc --noEmit',
    'deploy:staging': 'wrangler deploy --env staging',
  };
  return `${JSON.stringify({ name: 'shop-collector', version, private: true, license: 'UNLICENSED', scripts, ...DEPENDENCIES }, null, '\t')}\n`;
}

function lock(version: string, root: object = DEPENDENCIES): string {
  const packages = {
    '': { name: 'shop-collector', version, ...root },
    'node_modules/isbot': {
      version: '5.1.0',
      resolved: 'https://packages.example/isbot-5.1.0.tgz',
      integrity: 'sha512-AAAA',
    },
  };
  return `${JSON.stringify({ name: 'shop-collector', version, lockfileVersion: 3, packages }, null, 2)}\n`;
}

const ENTRY = `import { classify } from './classify';
import { forward } from './lib/forward';
import { MANIFEST_PATH, serveManifest } from './webmcp';

export default {
  async fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
    if (new URL(request.url).pathname === MANIFEST_PATH) return serveManifest(request, env);
    const response = await fetch(request);
    if (classify(request)) ctx.waitUntil(forward(request, response.clone(), env.SERVICE_INGEST_URL, env.SERVICE_API_KEY));
    return response;
  },
};
`;

function source(version: string): Files {
  const stamped = version >= '0.4.0';
  return {
    'src/index.ts': ENTRY,
    'src/classify.ts': `import { isbot } from 'isbot';\nimport { bots } from './bots';\nexport const classify = (request: Request) => bots.test(request.headers.get('user-agent') ?? '') || isbot('');\n`,
    'src/bots.ts': 'export const bots = /gptbot|claudebot/i;\n',
    'src/lib/forward.ts': stamped
      ? `import { WORKER_VERSION } from '../version';\nexport const forward = (..._: unknown[]) => Promise.resolve({ worker_version: WORKER_VERSION });\n`
      : 'export const forward = (..._: unknown[]) => Promise.resolve({});\n',
    ...(stamped ? { 'src/version.ts': `export const WORKER_VERSION = '${version}';\n` } : {}),
    'src/webmcp.ts': `export const MANIFEST_PATH = '/.well-known/webmcp.json';\nexport const serveManifest = (..._: unknown[]) => new Response();\n`,
    'test/classify.test.ts': `import { it } from 'vitest';\nit('classifies', () => {});\n`,
    'test/fixtures/agents.txt': 'GPTBot\n',
    'tsconfig.json': '{ "compilerOptions": { "strict": true } }\n',
    'vitest.config.ts': 'export default {};\n',
    'README.md': '# Our collector\n',
    '.gitignore': 'node_modules\n.dev.vars\n',
  };
}

/** @param version of the release that the repository was made from */
export function oldRepository(version: '0.2.0' | '0.3.4' | '0.4.2', format: 'toml' | 'jsonc'): Files {
  return {
    ...source(version),
    'package.json': manifest(version),
    'package-lock.json': lock(
      version,
      version === '0.2.0' ? { dependencies: { isbot: '4.0.0' } } : DEPENDENCIES,
    ),
    ...(format === 'toml' ? { 'wrangler.toml': OLD_TOML } : { 'wrangler.jsonc': OLD_JSONC }),
  };
}
