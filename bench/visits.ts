/**
 * Visits to several edges in turn, from a process of its own: one request at a time, the order drawn again in each round, so that whatever
 * else the machine does meets all of them alike. Prints one line of JSON.
 *
 * node bench/visits.ts '{"ports":[8080,8081],"request":"GET / HTTP/1.1\r\n…","rounds":1000,"pauseMs":2}'
 */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '../tests/harness/random.ts';

export interface VisitPlan {
  ports: number[];
  /** As it goes over the wire. */
  request: string;
  rounds: number;
  /** After each visit, so that what an edge does in the background is done before the next one. */
  pauseMs: number;
}

/** Milliseconds from each request to its answer's first byte, per port in the order of the plan. */
export type VisitReport = number[][];

const HEADER_END = '\r\n\r\n';
const LAST_CHUNK = '\r\n0\r\n\r\n';

async function run({ ports, request, rounds, pauseMs }: VisitPlan): Promise<VisitReport> {
  const random = seededRandom(1);
  const bytes = Buffer.from(request);
  const report: VisitReport = ports.map(() => []);
  const sockets = ports.map((port) => connect(port, '127.0.0.1').setNoDelay(true));
  for (let round = 0; round < rounds; round += 1) {
    const order = [...sockets.keys()];
    while (order.length > 0) {
      const [index = 0] = order.splice(random.below(order.length), 1);
      const socket = sockets[index];
      if (socket === undefined) continue;
      report[index]?.push(await visit(socket, bytes));
      if (pauseMs > 0) await sleep(pauseMs);
    }
  }
  for (const socket of sockets) socket.destroy();
  return report;
}

/**
 * Resolves when the answer is whole.
 * @returns milliseconds to its first byte
 * @throws when it is not 200, or the connection is cut
 */
function visit(socket: Socket, bytes: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    let answer = '';
    let firstByte = 0;
    const sentAt = performance.now();
    const cut = (): void => reject(new Error(`cut after ${answer.length} bytes`));
    const take = (chunk: Buffer): void => {
      if (firstByte === 0) firstByte = performance.now() - sentAt;
      answer += chunk.toString('latin1');
      if (!isWhole(answer)) return;
      socket.off('data', take).off('close', cut);
      if (answer.startsWith('HTTP/1.1 200 ')) resolve(firstByte);
      else reject(new Error(`unexpected: ${answer.slice(0, 200)}`));
    };
    socket.on('data', take).on('close', cut);
    socket.write(bytes);
  });
}

function isWhole(answer: string): boolean {
  const headerEnd = answer.indexOf(HEADER_END);
  if (headerEnd === -1) return false;
  const length = /content-length: (\d+)/i.exec(answer.slice(0, headerEnd))?.[1];
  if (length === undefined) return answer.endsWith(LAST_CHUNK);
  return answer.length >= headerEnd + HEADER_END.length + Number(length);
}

const plan = process.argv[2];
if (plan !== undefined) console.log(JSON.stringify(await run(JSON.parse(plan) as VisitPlan)));
