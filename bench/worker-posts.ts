/** Posts of the edge collector, acknowledged on disk: single hits against a bare server, and arrays of a hundred. */
import { expectConservation } from '../tests/harness/conservation.ts';
import { TestService, workerHit } from '../tests/harness/service.ts';
import { bareServer, expectOnly, type Figure, load, median, rate, thousands } from './harness.ts';

const ROUNDS = 3;
const SECONDS = 4;
const CONNECTIONS = 64;

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
    const arrays: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const report = await load({ ...single, port, body: hundred, connections: 16 });
      arrays.push(rate(expectOnly(report, '204')) * 100);
    }
    await expectConservation(service, 120_000);
    return [
      {
        what: 'single-hit posts, acknowledged on disk, against a bare server',
        measured: `${median(ratios).toFixed(2)}× (${thousands(median(ours))}/s)`,
        target: '≥ 0.6×',
        holds: median(ratios) >= 0.6,
      },
      {
        what: `the same, p99 at ${CONNECTIONS} connections`,
        measured: `${median(p99).toFixed(1)} ms`,
        target: '< 10 ms',
        holds: median(p99) < 10,
      },
      {
        what: '100-hit posts',
        measured: `${thousands(median(arrays))} hits/s`,
        target: '≥ 400,000 hits/s',
        holds: median(arrays) >= 400_000,
      },
    ];
  } finally {
    bare.stop();
    await service.dispose();
  }
}
