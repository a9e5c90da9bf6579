/**
 * `ghostlight demo`: the whole product on one machine. A shop is behind the real collector in workerd, made-up visitors come to it as they
 * do in its made-up past, and what the collector reports is in the dashboard. A log push job reports the shop's help pages beside it.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import type { Service } from '../../service.ts';
import type { Leaf } from '../command.ts';
import { runService } from '../serve.ts';
import { type Account, openAccount } from './account.ts';
import { type Edge, startEdge } from './edge.ts';
import { daysOfHistory, hasHistory, writeHistory } from './history/index.ts';
import { SAMPLE_RATE } from './history/people.ts';
import { type Senders, sendVisitors } from './live.ts';
import { createLogPush } from './log-push.ts';
import { call } from './management.ts';
import { startPretend } from './pretend.ts';
import { HOST } from './shop.ts';
import { startSite } from './site.ts';
import { startWaiting, type Waiting } from './waiting.ts';

export const run: Leaf['run'] = async ({ config, print }) => {
  // A directory of its own: demo hits must never stand among real ones. The made-up crawlers come from the ranges that travel with
  // the code, so these are not renewed.
  const dataDir = join(config.dataDir, 'demo');
  const pretend = await startPretend(Date.now);
  // Before anything is opened: no order of the demo may ever leave for a real platform.
  const destinationHosts = new Map([...config.destinationHosts, ...pretend.hosts]);
  const demoConfig: Config = {
    ...config,
    dataDir,
    destinationHosts,
    listsRefresh: false,
    listsReadToday: true,
  };
  let waiting: Waiting | null = null;
  try {
    waiting = await writeHistoryOnce(demoConfig, print);
    await runService(
      { ...demoConfig, port: waiting?.port ?? config.port },
      print,
      async (service, stopped) => {
        const account = await openAccount(service, join(dataDir, 'demo-key'));
        const site = await startSite();
        const edge = await openEdge(service, config.host, account, site.port, print);
        // Where the service finds the shop when it looks at the manifest that is really served, and at the sitemap.
        destinationHosts.set(HOST, `http://127.0.0.1:${edge?.port ?? site.port}`);
        await readSitemap(service, account);
        if (edge !== null) invite(edge, account, print);
        print('Stop with Ctrl+C.');
        const senders: Senders = {
          visit: async (visit) => await edge?.visit(visit),
          push: createLogPush({ address: service.address, ...account }, stopped),
        };
        const visiting = sendVisitors(senders, stopped).catch((error: unknown) => {
          if (!stopped.aborted) print(`The visitors stopped: ${sentenceOf(error)}`);
        });
        // Those of the past, and those on which the demo was not running. Until it is done, reports read the hits themselves and say the same.
        const counting = call(service, 'POST', '/rollup', {}).catch((error: unknown) =>
          print(`The closed days could not be counted: ${sentenceOf(error)}`),
        );
        return async () => {
          await Promise.all([visiting, counting]);
          await edge?.close();
          await site.close();
        };
      },
      async () => await waiting?.close(),
    );
  } finally {
    // It still answers when the service could not begin.
    await waiting?.close();
    await pretend.close();
  }
  return undefined;
};

/** @returns what answers at the service's address meanwhile, to be closed when the service begins to; null where nothing is written */
async function writeHistoryOnce(config: Config, print: (line: string) => void): Promise<Waiting | null> {
  if (existsSync(config.dataDir)) {
    if (!hasHistory(config.dataDir))
      print(`The demo of ${config.dataDir} has no past: remove that directory for 90 days of it.`);
    return null;
  }
  const began = performance.now();
  const waiting = await startWaiting(config);
  try {
    print(`Writing ${daysOfHistory(config)} days of a made-up past, once. How far it is:`);
    print(`  ${waiting.address}, where the dashboard will be`);
    await writeHistory({ config, told: waiting.tell, now: Date.now() });
  } catch (error) {
    await waiting.close();
    throw error;
  }
  print(`  all of it in ${((performance.now() - began) / 1_000).toFixed(1)} s`);
  return waiting;
}

/** Once, in the background; the nightly job keeps it up to date. */
async function readSitemap(service: Service, { property }: Account): Promise<void> {
  const path = `/properties/${property}/reports/sitemap`;
  const { state } = (await call(service, 'GET', path)) as { state: string };
  if (state === 'none') await call(service, 'PUT', path, { url: null });
}

/** @returns null, and it is said what still works, where the collector can't run */
async function openEdge(
  service: Service,
  host: string,
  account: Account,
  sitePort: number,
  print: (line: string) => void,
): Promise<Edge | null> {
  try {
    return await startEdge({
      service: service.address,
      host,
      account,
      sitePort,
      sampleRate: SAMPLE_RATE,
      log: print,
    });
  } catch (error) {
    print(
      `The edge collector can't run here (${sentenceOf(error)}), so the shop has no visitors. The dashboard, the API and the log push traffic work.`,
    );
    return null;
  }
}

function invite({ port }: Edge, { manifestProblem }: Account, print: (line: string) => void): void {
  const address = `http://localhost:${port}`;
  print(`  Demo shop     ${address}, which stands for https://${HOST} behind the edge collector`);
  print(
    `Visitors are coming: every AI visit is reported, of all others ${SAMPLE_RATE * 100}% as anonymous samples. Come along:`,
  );
  print(`  curl -A "GPTBot/1.3" ${address}/products/ghost-light`);
  print(
    '  It appears in Live within seconds, as spoofed: it claims to be GPTBot and doesn’t come from OpenAI’s network.',
  );
  if (manifestProblem === null) print(`  curl ${address}/.well-known/webmcp.json`);
  else print(`The shop publishes no tools to agents. ${manifestProblem}`);
}

/** The first line, without the stack that the runtime's errors carry in their message. */
function sentenceOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\n', 1)[0]?.slice(0, 200) ?? '';
}
