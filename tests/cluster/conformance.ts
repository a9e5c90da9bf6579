/**
 * The conformance suite of the warehouse against each replica of deploy/cluster/compose.yaml, then a visit through its Caddy:
 * `npm run cluster:conformance`, while the cluster runs with deploy/cluster/test.yaml.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { run } from '../image/program.ts';
import { visit } from '../image/visit.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const REPLICAS = [18_123, 18_124];
const DATABASE = 'conformance';

const secrets = parseEnv(readFileSync(`${ROOT}deploy/cluster/.env`, 'utf8'));
const password = secrets['CLICKHOUSE_PASSWORD'] ?? '';

// Of its own, because the suite keeps rows for longer than the service that uses the same servers.
const answer = await fetch(`http://127.0.0.1:${REPLICAS[0]}/`, {
  method: 'POST',
  headers: { 'X-ClickHouse-User': 'ghostlight', 'X-ClickHouse-Key': password },
  body: `CREATE DATABASE IF NOT EXISTS ${DATABASE} ON CLUSTER pair`,
});
if (!answer.ok) throw new Error(`ClickHouse answered ${answer.status}: ${await answer.text()}`);

for (const port of REPLICAS) {
  const url = `http://ghostlight:${password}@127.0.0.1:${port}/${DATABASE}`;
  const env = {
    ...process.env,
    GHOSTLIGHT_TEST_CLICKHOUSE_URL: url,
    GHOSTLIGHT_TEST_CLICKHOUSE_CLUSTER: 'pair',
  };
  const words = ['vitest', 'run', 'packages/server/src/warehouse/conformance.test.ts'];
  const { code } = await run('npx', ['--no-install', ...words], { env, cwd: ROOT, shown: true });
  if (code !== 0) throw new Error(`The replica at port ${port} does not conform.`);
}

// Caddy signs the certificate of localhost itself.
process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
await visit('https://localhost', secrets['ADMIN_TOKEN'] ?? '');
console.log('Both replicas conform, and a visit through Caddy is in Live.');
