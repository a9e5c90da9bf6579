/**
 * Two nodes ship through a played pair of replicas on which everything goes wrong that the pair can play: lag, answers lost before and
 * after their effect, pages of the balancer, a replica that goes away and comes back, rights that are missing. At the end every row must be
 * on both replicas, once.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSpool } from '../../spool/index.ts';
import { hitSink, openWarehouse, toRow } from '../index.ts';
import { type Fault, startCluster } from './cluster.ts';
import { makeHit, newScope, silent } from './warehouse.ts';

export interface ClusterReport {
  readonly rounds: number;
  /** Rows that the nodes acknowledged. */
  readonly acknowledged: number;
  readonly lost: number;
  readonly doubled: number;
  /** How often each fault struck; `failover`: a replica went away, `denied`: rounds without a look at running statements. */
  readonly struck: Readonly<Record<Exclude<Fault, 'none'> | 'failover' | 'denied', number>>;
}

const NODES = 2;
const ROWS = 10;

/** @param random from 0 to 1, 1 outside @param onRound called after each */
export async function clusterRounds(
  rounds: number,
  random: () => number,
  onRound: (round: number, acknowledged: number) => void = () => undefined,
): Promise<ClusterReport> {
  const directory = await mkdtemp(join(tmpdir(), 'ghostlight-cluster-nodes-'));
  const cluster = await startCluster();
  cluster.route = () => Math.floor(random() * 2);
  const struck = { page: 0, cut_before: 0, cut_after: 0, failover: 0, denied: 0 };
  const nodes = [];
  for (let index = 0; index < NODES; index += 1) {
    const warehouse = await openWarehouse({
      ...{ url: cluster.url, dataDir: directory, retentionDays: 18_250, cluster: 'pair' },
      ...{ log: silent, clock: Date.now },
    });
    await warehouse.migrate();
    const spool = await openSpool({
      directory: join(directory, String(index)),
      ...{ maxBytes: 1e9, clock: Date.now, log: silent },
    });
    const shipper = spool.startShipper(hitSink(warehouse, { shared: true }), {
      gatherMs: 5,
      backoffMs: { first: 5, longest: 60 },
    });
    nodes.push({ warehouse, spool, shipper });
  }
  const scope = newScope();
  let acknowledged = 0;
  try {
    for (let round = 0; round < rounds; round += 1) {
      const trouble = random() * 0.8;
      cluster.lag = () => Math.floor(random() * 200);
      cluster.faults = (statement) => {
        // Half of what befalls is aimed where it hurts most.
        const aimed = statement.startsWith('INSERT') ? trouble : trouble / 3;
        if (random() >= aimed) return 'none';
        const fault =
          (['page', 'cut_before', 'cut_after', 'cut_after'] as const)[Math.floor(random() * 4)] ?? 'page';
        struck[fault] += 1;
        return fault;
      };
      cluster.denied = random() < 0.3 ? /system\.processes|KILL QUERY|SYSTEM SYNC/ : null;
      if (cluster.denied !== null) struck.denied += 1;
      for (const { spool } of nodes) {
        const now = Date.now();
        const rows = Array.from({ length: ROWS }, () => {
          const ray = randomUUID().replaceAll('-', '').slice(0, 16);
          const hit = makeHit(scope, { at: now, received_at: now, ray_id: ray });
          const month = new Date(now).toISOString().slice(0, 7).replace('-', '');
          return { line: toRow(hit), month, dedupKey: ray, label: hit.class };
        });
        const receipt = await spool.append({
          ...{ endpoint: 'edge_worker' as const, received: rows.length, rows },
          ...{ dropped: {}, rejected: {}, quarantine: [] },
        });
        acknowledged += receipt.kept;
      }
      await sleep(random() * 200);
      if (random() < 0.25) {
        const away = Math.floor(random() * 2);
        struck.failover += 1;
        cluster.down.add(away);
        await sleep(random() * 150);
        cluster.down.delete(away);
      }
      onRound(round + 1, acknowledged);
    }
    cluster.faults = () => 'none';
    cluster.denied = null;
    for (const { shipper } of nodes)
      if (!(await shipper.drain(60_000))) throw new Error('what the nodes hold could not be shipped');
    await cluster.settled();
    let [lost, doubled] = [0, 0];
    for (const replica of [0, 1]) {
      const [row] = await cluster.ask<{ n: string; distinct: string }>(
        replica,
        `SELECT toString(count()) AS n, toString(uniqExact(id)) AS distinct FROM hits WHERE attribution_id = '${scope.attributionIds[0]}'`,
      );
      lost += acknowledged - Number(row?.distinct ?? 0);
      doubled += Number(row?.n ?? 0) - Number(row?.distinct ?? 0);
    }
    return { rounds, acknowledged, lost, doubled, struck };
  } finally {
    for (const { shipper, spool, warehouse } of nodes) {
      await shipper.stop();
      await spool.close();
      await warehouse.close();
    }
    await cluster.close();
    await rm(directory, { recursive: true, force: true });
  }
}
