/** `ghostlight doctor --warehouse` against the played pair of replicas, and against what can be between. */
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CheckFinding, examineWarehouse, openWarehouse } from '../index.ts';
import { type Cluster, startCluster } from '../testing/cluster.ts';
import { silent } from '../testing/warehouse.ts';

const RETENTION_DAYS = 18_250;
const look = (url: string, cluster: string | null = null, clock: () => number = Date.now) =>
  examineWarehouse({ url, cluster, retentionDays: RETENTION_DAYS, clock, log: silent, patienceMs: 300 });

/** What is wrong, as `check: sentence`. */
const troubles = (found: readonly CheckFinding[], level: CheckFinding['level'] = 'bad') =>
  found.flatMap((one) => (one.level === level ? [`${one.check}: ${one.text}`] : []));

describe('a pair of replicas', () => {
  let pair: Cluster;
  beforeAll(async () => {
    pair = await startCluster();
    const warehouse = await openWarehouse({
      ...{ url: pair.url, cluster: 'pair', dataDir: '', retentionDays: RETENTION_DAYS },
      ...{ clock: Date.now, log: silent },
    });
    await warehouse.migrate();
    await warehouse.close();
  });
  afterAll(() => pair.close());
  beforeEach(() => {
    pair.route = () => 0;
    pair.lag = () => 0;
    pair.faults = () => 'none';
    pair.denied = null;
    pair.down.clear();
    const member = (host: string) => ({ value: '1', host, errors: '0' });
    pair.describe = {
      clusters: [member('replica-0'), member('replica-1')],
      macros: ['shard', 'replica'],
    };
  });
  const ofPair = () => look(pair.url, 'pair');

  it('in order is so in every check, once for each', async () => {
    const found = await ofPair();
    expect(found.filter(({ level }) => level !== 'good')).toEqual([]);
    expect(found.map(({ check }) => check)).toEqual([
      ...['reachable', 'credentials', 'version', 'clock', 'cluster', 'settings', 'rights', 'replicas'],
      ...[
        'keeper',
        'replication',
        'schema',
        'parts',
        'damage',
        'mutations',
        'deduplication',
        'passage',
        'disk',
      ],
    ]);
  });

  it('finds its tries stored once though the replica that counts lags', async () => {
    pair.lag = () => 400;
    let turn = 0;
    pair.route = () => {
      turn += 1;
      return turn % 2;
    };
    expect(troubles(await ofPair())).toEqual([]);
  });

  it('names the replica that is down, and that there is no majority', async () => {
    pair.down.add(1);
    expect(troubles(await ofPair())).toEqual([
      expect.stringMatching(/^replicas: 1 of 2 replicas of pair answer each other\. Missing: replica-1\. /),
      expect.stringMatching(
        /^replication: 1 of 2 replicas of events are up\. Down: replica-1\. That is no majority/,
      ),
      expect.stringMatching(/^deduplication: No majority of replicas confirms an insert/),
    ]);
  });

  it('names a replica that is behind, one that is read-only, and a long queue', async () => {
    pair.describe = {
      ...pair.describe,
      replica: (replica) =>
        replica === 1 ? { delay: '900', queue: '5000', is_readonly: 1 } : { delay: '40' },
    };
    const found = await ofPair();
    expect(troubles(found)).toEqual([
      expect.stringMatching(/^replication: On replica-1 these tables are read-only: events, hits\. /),
      expect.stringMatching(/^replication: replica-1 is 900 seconds behind/),
    ]);
    expect(troubles(found, 'note')).toEqual([
      expect.stringMatching(/^replication: replica-0 is 40 seconds behind/),
      expect.stringMatching(/^replication: replica-1 has 5,000 entries in a replication queue/),
    ]);
  });

  it('says that servers with one replica each share nothing', async () => {
    pair.describe = { ...pair.describe, replica: () => ({ total: 1, active: 1 }) };
    expect(troubles(await ofPair())).toEqual([
      expect.stringMatching(
        /^replication: The table events has one replica in Keeper, but several servers have it/,
      ),
    ]);
  });

  it('says which replica has lost Keeper, and when none has one', async () => {
    pair.describe = { ...pair.describe, keepers: [{ replica: 'replica-1', keeper: 'k:9181', expired: 1 }] };
    expect(troubles(await ofPair())).toEqual([
      expect.stringMatching(/^keeper: replica-1 has lost its session with Keeper \(k:9181\)/),
    ]);
    pair.describe = { ...pair.describe, keepers: [] };
    expect(troubles(await ofPair())).toEqual([
      expect.stringMatching(/^keeper: The server is connected to no Keeper/),
    ]);
  });

  it('refuses what the service refuses, with its sentence, and looks no further', async () => {
    pair.describe = { ...pair.describe, macros: ['shard'] };
    expect(troubles(await ofPair())).toEqual([expect.stringMatching(/^cluster: .*no macro \{replica\}/)]);
    expect(troubles(await look(pair.url))).toEqual([
      expect.stringMatching(/^cluster: .*are replicated, and CLICKHOUSE_CLUSTER is not set/),
    ]);
  });

  it('says of each check that it may not make which right it needs', async () => {
    pair.denied = /system\.(?:disks|parts|mutations|zookeeper_connection)|clusterAllReplicas/;
    const found = await ofPair();
    expect(troubles(found)).toEqual([]);
    const notes = troubles(found, 'note').join('\n');
    for (const grant of ['system.disks', 'system.parts', 'system.mutations', 'system.zookeeper_connection'])
      expect(notes).toContain(`GRANT SELECT ON ${grant} TO the user`);
    expect(notes).toContain('GRANT REMOTE ON *.*');
    pair.denied = /^INSERT|^CREATE/;
    expect(troubles(await ofPair(), 'note').join()).toContain('deduplication: Inserts could not be tried');
  });

  it('says that a proxy bounds bodies', async () => {
    pair.faults = (statement) => (/"n":3| doctor_probe .*:3'/.test(statement) ? 'page' : 'none');
    expect(troubles(await ofPair())).toEqual([
      expect.stringMatching(/^passage: An insert of 8 MiB does not pass: .*nginx: client_max_body_size/),
    ]);
  });

  it('sees a table that was changed by hand', async () => {
    for (const replica of [0, 1])
      await pair.ask(replica, 'ALTER TABLE hits DROP COLUMN waf_action').catch(() => []);
    expect(troubles(await ofPair())).toEqual([
      expect.stringMatching(/^schema: The table hits lacks the columns waf_action/),
    ]);
  });
});

describe('in between', () => {
  let server: Server | undefined;
  const serve = async (listener: RequestListener): Promise<string> => {
    server = createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `http://user:hunter2@127.0.0.1:${(server.address() as AddressInfo).port}/visits`;
  };
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });
  /** A server that greets, and answers statements as it is given. */
  const answering = (answer: (sql: string) => { status: number; body: string; code?: number }) =>
    serve(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      if (request.url === '/ping') return void response.end('Ok.\n');
      const { status, body: text, code } = answer(body);
      const exception = code === undefined ? {} : { 'X-ClickHouse-Exception-Code': code };
      response.writeHead(status, { 'X-ClickHouse-Query-Id': '1', ...exception }).end(text);
    });
  const exception = (code: number, name: string) => ({
    ...{ status: 500, code },
    body: `Code: ${code}. DB::Exception: played. (${name})`,
  });

  it.each([
    [
      502,
      '<html><body>Bad Gateway</body></html>',
      /something other than ClickHouse answers: status 502 \(nginx\)/,
    ],
    [400, 'Port 9000 is for clickhouse-client program\n', /port of ClickHouse’s native protocol.*8123/],
  ])('status %d says what answers', async (status, body, sentence) => {
    const url = await serve((_, response) => void response.writeHead(status, { Server: 'nginx' }).end(body));
    expect(await look(url)).toEqual([
      { check: 'reachable', level: 'bad', text: expect.stringMatching(sentence) },
    ]);
  });

  it('silence, a closed port, a name without an address, and a port without TLS are distinguished', async () => {
    const quiet = await serve(() => undefined);
    expect(troubles(await look(quiet))).toEqual([expect.stringMatching(/did not answer within/)]);
    expect(troubles(await look(quiet.replace('http:', 'https:')))).toEqual([
      expect.stringMatching(/^tls: .*does not speak TLS/),
    ]);
    expect(troubles(await look('http://127.0.0.1:1/x'))).toEqual([
      expect.stringMatching(/No program accepts connections/),
    ]);
    expect(troubles(await look('http://no-such-host.invalid:8123/x'))).toEqual([
      expect.stringMatching(/no-such-host\.invalid has no address/),
    ]);
  });

  it.each([
    [exception(516, 'AUTHENTICATION_FAILED'), /refuses the user user: the name or the password/],
    [exception(195, 'IP_ADDRESS_NOT_ALLOWED'), /may not connect from this machine/],
    [exception(81, 'UNKNOWN_DATABASE'), /no database visits\. Create it: CREATE DATABASE visits;/],
    [{ status: 200, body: '<html>hello</html>' }, /answers without rows/],
  ])('a refused sign-in says why, and never shows the password: %j', async (answer, sentence) => {
    const found = await look(await answering(() => answer));
    expect(troubles(found)).toEqual([expect.stringMatching(sentence)]);
    expect(JSON.stringify(found)).not.toContain('hunter2');
  });

  it('a server that is too old, or whose clock differs', async () => {
    const ours = Date.UTC(2026, 10, 21);
    const welcome = (version: string, now: number) =>
      answering(() => ({
        status: 200,
        body: `${JSON.stringify({ version, user: 'u', database: 'visits', now: String(now) })}\n`,
      }));
    expect(troubles(await look(await welcome('23.3.1.1', ours), null, () => ours))).toEqual([
      expect.stringMatching(/^version: ClickHouse 23\.3\.1\.1 is too old: Ghostlight needs 24\.8 or later/),
    ]);
    server?.closeAllConnections();
    server?.close();
    const found = await look(await welcome('26.7.1.1', ours - 3_600_000), null, () => ours);
    expect(troubles(found)).toContainEqual(
      expect.stringMatching(/^clock: The server’s clock is 3,600 seconds behind/),
    );
  });

  it('a profile that forbids or changes what statements rely on', async () => {
    const rows = (list: readonly unknown[]) => ({
      status: 200,
      body: list.map((row) => `${JSON.stringify(row)}\n`).join(''),
    });
    const url = await answering((sql) => {
      if (sql.includes('version()'))
        return rows([{ version: '26.7.1.1', user: 'u', database: 'visits', now: String(Date.now()) }]);
      if (sql.includes('name IN'))
        return rows([
          { name: 'readonly', value: '1' },
          { name: 'result_overflow_mode', value: 'break' },
          { name: 'join_use_nulls', value: '0' },
          { name: 'max_concurrent_queries_for_user', value: '8' },
        ]);
      if (sql.includes("insert_quorum = 'auto'")) return exception(452, 'SETTING_CONSTRAINT_VIOLATION');
      if (sql.includes('mutations_sync = 2')) return exception(115, 'UNKNOWN_SETTING');
      if (sql.includes('CHECK GRANT')) return rows([{ result: sql.includes('ALTER') ? 0 : 1 }]);
      return rows(sql.includes('AS name') ? [{ name: 'visits' }] : []);
    });
    const found = await look(url);
    const settings = found.filter(({ check }) => check === 'settings').map(({ text }) => text);
    expect(settings).toEqual([
      expect.stringMatching(/readonly = 1: the service can’t write/),
      expect.stringMatching(/result_overflow_mode = break: reports would be wrong or cut/),
      expect.stringMatching(/max_concurrent_queries_for_user = 8/),
      expect.stringMatching(/refuses insert_quorum = auto \(a majority of replicas must confirm an insert\)/),
      expect.stringMatching(/does not know the setting mutations_sync/),
    ]);
    expect(troubles(found)).toContainEqual(
      expect.stringMatching(/^rights: The user lacks the right ALTER ON db\.\*/),
    );
  });
});
