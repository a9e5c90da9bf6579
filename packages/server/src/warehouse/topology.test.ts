import { describe, expect, it } from 'vitest';
import { silent } from './testing/warehouse.ts';
import { findTopology } from './topology.ts';

interface Server {
  readonly database: string;
  readonly cloud: boolean;
  readonly hits: string | null;
  readonly hosts: readonly string[];
  /** Clusters of several replicas that the server is one of; null: it may not be asked. */
  readonly memberOf: readonly string[] | null;
}

const ONE: Server = { database: 'Atomic', cloud: false, hits: null, hosts: ['a'], memberOf: [] };

const find = (server: Partial<Server>, configured: string | null = null) => {
  const { database, cloud, hits, hosts, memberOf } = { ...ONE, ...server };
  let asked = 0;
  const answer = (sql: string): readonly string[] => {
    if (sql.includes('system.databases')) return [database];
    if (sql.includes('cloud_mode')) return cloud ? ['1'] : [];
    if (sql.includes('system.tables')) return hits === null ? [] : [hits];
    if (sql.includes('hostName')) {
      asked += 1;
      return [hosts[asked % hosts.length] ?? ''];
    }
    if (memberOf === null) throw Object.assign(new Error('denied'), { code: '497', type: 'ACCESS_DENIED' });
    return memberOf;
  };
  const rows = async <Row>(_: string, { sql }: { sql: string }): Promise<Row[]> =>
    answer(sql).map((value) => ({ value }) as Row);
  return findTopology({ rows }, { embedded: false, configured, log: silent });
};

describe('what answers at CLICKHOUSE_URL', () => {
  it('is one server, when one host answers and knows of no replicas', async () => {
    expect(await find({})).toEqual({ standing: 'single', ddl: false, everywhere: '' });
    expect(await find({ hits: 'MergeTree' })).toMatchObject({ standing: 'single' });
    expect(await find({ memberOf: null })).toMatchObject({ standing: 'single' });
  });

  it('is ClickHouse Cloud, which replicates by itself, whatever its hosts', async () => {
    const cloud = { standing: 'replicated', ddl: false, everywhere: '' };
    expect(await find({ cloud: true, hosts: ['a', 'b'] })).toEqual(cloud);
    expect(await find({ database: 'Shared', hosts: ['a', 'b'] })).toEqual(cloud);
  });

  it('is a Replicated database, which wants neither ON CLUSTER nor paths', async () => {
    const own = { standing: 'replicated', ddl: 'database', everywhere: '' };
    expect(await find({ database: 'Replicated', hosts: ['a', 'b'] })).toEqual(own);
    expect(await find({ database: 'Replicated', hits: 'ReplicatedMergeTree' }, 'pair')).toEqual(own);
    await expect(find({ database: 'Replicated', hits: 'MergeTree' })).rejects.toThrow(/without replication/);
  });

  it('is refused when several hosts answer and no cluster is named', async () => {
    await expect(find({ hosts: ['a', 'b'] })).rejects.toThrow(
      /Several servers answer at CLICKHOUSE_URL \(a, b\)/,
    );
    await expect(find({ hosts: ['a', 'b'] }, 'none')).rejects.toThrow(/Several servers/);
  });

  it('is refused when the server is one of several replicas, unless that is wanted', async () => {
    await expect(find({ memberOf: ['main'] })).rejects.toThrow(/a replica in the cluster “main”/);
    expect(await find({ memberOf: ['main'] }, 'none')).toMatchObject({ standing: 'single' });
  });

  it('is refused when its tables were made otherwise than it is set', async () => {
    await expect(find({ hits: 'ReplicatedMergeTree' })).rejects.toThrow(/CLICKHOUSE_CLUSTER is not set/);
    await expect(find({ hits: 'MergeTree', memberOf: null }, 'main')).rejects.toThrow(/without replication/);
  });
});
