/** Posts of the edge collector, acknowledged on disk: single hits against a bare server, and arrays of a hundred, until they are stored and while nothing is. */
import { expectConservation } from '../tests/harness/conservation.ts';
import { TestService, workerHit } from '../tests/harness/service.ts';
import { bareServer, expectOnly, type Figure, load, median, rate, thousands } from './harness.ts';

const ROUNDS = 3;
const SECONDS = 4;
const CONNECTIONS = 64;
const DRAIN_MS = 180_000;

export async function workerPosts(): Promise<Figure[]> {
  const service = new TestService({ LOG_LEVEL: 'error' });
  const bare = await bareServer();
  try {
    await service.start();
    const { key } = await service.property();
    const port = Number(new URL(service.address).port);
    const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
    const single = {
      path: '/v1/logs/edge_worker',
      headers,
      body: JSON.stringify([workerHit()]),
      connections: CONNECTIONS,
      seconds: SECONDS,
    };
    await load({ ...single, port, seconds: 2 });
    await load({ ...single, port: bare.port, seconds: 1 });
    const ratios: number[] = [];
    const ours: number[] = [];
    const p99: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const theirs = rate(expectOnly(await load({ ...single, port: bare.port }), '204'));
      const report = expectOnly(await load({ ...single, port }), '204');
      ours.push(rate(report));
      ratios.push(rate(report) / theirs);
      p99.push(report.p99);
    }
    const hundred = JSON.stringify(
      Array.from({ length: 100 }, (_, index) => workerHit({ pathname: `/page/${index}` })),
    );
    await expectConservation(service, DRAIN_MS);
    const arrays = { ...single, port, body: hundred, connections: 16 };
    const drained: number[] = [];
    const alone: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const began = performance.now();
      const report = expectOnly(await load(arrays), '204');
      await expectConservation(service, DRAIN_MS);
      drained.push((report.requests * 100) / ((performance.now() - began) / 1_000));
      // The warehouse stands still: the spool takes everything, and nothing leaves it.
      service.signalWarehouse('SIGSTOP');
      try {
        alone.push(rate(expectOnly(await load(arrays), '204')) * 100);
      } finally {
        service.signalWarehouse('SIGCONT');
      }
      await expectConservation(service, DRAIN_MS);
    }
    return [
      {
        what: 'single-hit posts, acknowledged on disk, against a bare server',
        measured: `${median(ratios).toFixed(2)}× (${thousands(median(ours))}/s)`,
        target: '≥ 0.40×',
        holds: median(ratios) >= 0.4,
      },
      {
        what: `the same, p99 at ${CONNECTIONS} connections`,
        measured: `${median(p99).toFixed(1)} ms`,
        target: '< 12 ms',
        holds: median(p99) < 12,
      },
      {
        what: 'posts of 100 hits, until the last one is stored',
        measured: `${thousands(median(drained))} hits/s`,
        target: '≥ 110,000 hits/s',
        holds: median(drained) >= 110_000,
      },
      {
        what: 'posts of 100 hits while the warehouse stands still',
        measured: `${thousands(median(alone))} hits/s`,
        target: '≥ 300,000 hits/s',
        holds: median(alone) >= 300_000,
      },
    ];
  } finally {
    bare.stop();
    await service.dispose();
  }
}
