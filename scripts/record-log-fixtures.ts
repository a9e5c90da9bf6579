/**
 * Records what nginx, Apache, Caddy and HAProxy log of odd requests: `node scripts/record-log-fixtures.ts`, with Debian's packages nginx, apache2,
 * caddy and haproxy installed. The files in tests/web-servers/recordings are read by the tests everywhere.
 */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { record } from '../tests/web-servers/record.ts';
import { binaryOf, makeCertificate, SERVERS, startServer, versionOf } from '../tests/web-servers/servers.ts';
import { recordSigned } from '../tests/web-servers/signed.ts';

const RECORDINGS = fileURLToPath(new URL('../tests/web-servers/recordings/', import.meta.url));

for (const name of SERVERS) {
  if (binaryOf(name) === null) {
    console.log(`${name} is not installed; its recording stays as it is.`);
    continue;
  }
  const folder = mkdtempSync(join(tmpdir(), `ghostlight-${name}-`));
  // Its workers may run as another user.
  chmodSync(folder, 0o755);
  const certificate = makeCertificate(folder);
  if (certificate === null) throw new Error('openssl is not installed.');
  const server = await startServer(name, folder, '', certificate);
  try {
    const requests = await record(server);
    const signed = await recordSigned(server);
    const version = versionOf(name);
    keep(name, { server: name, version, requests });
    keep(`${name}-signed`, { server: name, version, ...signed });
    console.log(`${name}: ${requests.length} requests, ${signed.requests.length} of signers`);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Bytes above ASCII as escapes: no editor takes them for text of its own. */
function keep(name: string, recording: object): void {
  const ascii = JSON.stringify(recording, null, 1).replace(
    /[^\n\x20-\x7e]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  writeFileSync(`${RECORDINGS}${name}.json`, `${ascii}\n`);
}
