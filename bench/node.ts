/** `@ghostlight/node`: the processor time of a request beside that of the same server without it. */
import { spawn } from 'node:child_process';
import { Agent, createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { INSIDE, publishedLists } from '../packages/collector/src/testing/lists.ts';
import { CHROME, GPTBOT } from '../packages/collector/src/testing/values.ts';
import { type Figure, median } from './harness.ts';

const WARM_UP = 3_000;
const ROUNDS = 7;
const REQUESTS = 4_000;
const CONNECTIONS = 16;
/** Of an ordinary request; a bot's is read whole, verified and posted. */
const MOST = { person: 2, bot: 6 } as const;

const VISITORS = {
  person: { 'User-Agent': CHROME, Referer: 'https://shop.example/', 'X-Forwarded-For': '198.51.100.7' },
  bot: { 'User-Agent': GPTBOT, 'X-Forwarded-For': INSIDE },
} as const;

export async function node(): Promise<Figure[]> {
  let posted = 0;
  const lists = JSON.stringify(publishedLists());
  const service = createServer((request, response) => {
    if (request.method !== 'POST') {
      response.end(lists);
      return;
    }
    request.on('data', (chunk: Buffer) => {
      posted += chunk.toString().split('"user_agent"').length - 1;
    });
    request.on('end', () => response.end('{"kept":1}'));
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const figures: Figure[] = [];
  try {
    for (const framework of ['http', 'express'] as const)
      for (const visitor of ['person', 'bot'] as const) {
        posted = 0;
        const [bare, watched] = [await serverOf(framework, 'none'), await serverOf(framework, address)];
        try {
          const costs = { bare: [] as number[], watched: [] as number[] };
          for (const { port } of [bare, watched]) await ask(agent, port, VISITORS[visitor], WARM_UP);
          for (let round = 0; round < ROUNDS; round += 1) {
            costs.bare.push(await costOf(agent, bare.port, VISITORS[visitor]));
            costs.watched.push(await costOf(agent, watched.port, VISITORS[visitor]));
          }
          const [without, having] = [median(costs.bare), median(costs.watched)];
          if (visitor === 'bot' && posted < REQUESTS) throw new Error(`only ${posted} visits were reported`);
          figures.push({
            what: `@ghostlight/node before ${framework === 'http' ? 'node:http' : 'Express'}, ${visitor === 'bot' ? 'an AI bot' : 'an ordinary request'}: processor time beside none`,
            measured: `${(having / without).toFixed(2)} × (${without.toFixed(0)} µs + ${(having - without).toFixed(0)} µs)`,
            target: `< ${MOST[visitor]} ×`,
            holds: having / without < MOST[visitor],
          });
        } finally {
          bare.stop();
          watched.stop();
        }
      }
  } finally {
    agent.destroy();
    service.closeAllConnections();
    service.close();
  }
  return figures;
}

async function serverOf(framework: string, service: string): Promise<{ port: number; stop: () => void }> {
  const script = fileURLToPath(new URL('./node-server.ts', import.meta.url));
  const child = spawn(process.execPath, [script, framework, service], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout.once('data', (line: Buffer) => resolve(Number(line.toString())));
    child.once('error', reject);
  });
  return { port, stop: () => child.kill('SIGKILL') };
}

/** @returns microseconds of processor time per request */
async function costOf(
  agent: Agent,
  port: number,
  headers: Readonly<Record<string, string>>,
): Promise<number> {
  const before = Number(await one(agent, port, '/cpu', {}));
  await ask(agent, port, headers, REQUESTS);
  return (Number(await one(agent, port, '/cpu', {})) - before) / REQUESTS;
}

async function ask(
  agent: Agent,
  port: number,
  headers: Readonly<Record<string, string>>,
  requests: number,
): Promise<void> {
  let left = requests;
  const connection = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await one(agent, port, `/page-${left % 50}?a=b`, headers);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
}

function one(
  agent: Agent,
  port: number,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<string> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => resolve(text));
    }).on('error', reject);
  });
}
