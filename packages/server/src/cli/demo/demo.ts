/**
 * `ghostlight demo`: the whole product on one machine. A shop stands behind the real collector in workerd, recorded visitors come to it with the
 * time of the day, and what the collector reports is in the dashboard. A log push job reports the shop's help pages beside it.
 */
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import type { Service } from '../../service.ts';
import type { Command } from '../command.ts';
import { runService } from '../serve.ts';
import { type Account, openAccount } from './account.ts';
import { type Edge, startEdge } from './edge.ts';
import { writeHistory } from './history/index.ts';
import { createLogPush } from './log-push.ts';
import { call } from './management.ts';
import { startPretend } from './pretend.ts';
import { replay, type Senders } from './replay.ts';
import { HOST } from './shop.ts';
import { startSite } from './site.ts';

/** A real site draws far fewer; in a demonstration some should be seen. */
const SAMPLE_RATE = 0.2;

export const demo: Command = {
  name: 'demo',
  usage: '',
  summary: 'start with a demo shop behind the real collector, and realistic visitors',
  async run({ config, print }) {
    // A directory of its own: demo hits must never stand among real ones. The recorded crawlers come from the ranges that travel with
    // the code, so these are not renewed.
    const dataDir = join(config.dataDir, 'demo');
    const pretend = await startPretend();
    // Before anything is opened: no order of the demo may ever leave for a real platform.
    const destinationHosts = new Map([...config.destinationHosts, ...pretend.hosts]);
    const demoConfig: Config = { ...config, dataDir, destinationHosts, listsRefresh: false };
    try {
      await writeHistory({ config: demoConfig, print, now: Date.now() });
      await runService(demoConfig, print, async (service, stopped) => {
        const account = await openAccount(service, join(dataDir, 'demo-key'));
        const site = await startSite();
        const edge = await openEdge(service, account, site.port, print);
        // Where the service finds the shop when it looks at the manifest that is really served, and at the sitemap.
        destinationHosts.set(HOST, `http://127.0.0.1:${edge?.port ?? site.port}`);
        await readSitemap(service, account);
        if (edge !== null) invite(edge, account, print);
        print('Stop with Ctrl+C.');
        const senders: Senders = {
          visit: async (visit) => await edge?.visit(visit),
          push: createLogPush({ address: service.address, ...account }, stopped),
        };
        const replaying = replay(senders, stopped).catch((error: unknown) => {
          if (!stopped.aborted) print(`The replay stopped: ${sentenceOf(error)}`);
        });
        return async () => {
          await replaying;
          await edge?.close();
          await site.close();
        };
      });
    } finally {
      await pretend.close();
    }
  },
};

/** Once, in the background; the nightly job keeps it up to date. */
async function readSitemap(service: Service, { property }: Account): Promise<void> {
  const path = `/properties/${property}/reports/sitemap`;
  const { state } = (await call(service, 'GET', path)) as { state: string };
  if (state === 'none') await call(service, 'PUT', path, { url: null });
}

/** @returns null, and it is said what still works, where the collector can't run */
async function openEdge(
  service: Service,
  account: Account,
  sitePort: number,
  print: (line: string) => void,
): Promise<Edge | null> {
  try {
    return await startEdge({
      service: service.address,
      account,
      sitePort,
      sampleRate: SAMPLE_RATE,
      log: print,
    });
  } catch (error) {
    print(
      `The edge collector can't run here (${sentenceOf(error)}), so nobody visits the shop. The dashboard, the API and the log push traffic work.`,
    );
    return null;
  }
}

function invite({ port }: Edge, { manifestProblem }: Account, print: (line: string) => void): void {
  const address = `http://localhost:${port}`;
  print(`  Demo shop     ${address}, which stands for https://${HOST} behind the edge collector`);
  print(
    `Visitors are coming: every AI visit is reported, of all others ${SAMPLE_RATE * 100} % as anonymous samples. Come along:`,
  );
  print(`  curl -A "GPTBot/1.3" ${address}/products/ghost-light`);
  print(
    "  It stands in Live within seconds, as spoofed: it says GPTBot and does not come from OpenAI's network.",
  );
  if (manifestProblem === null) print(`  curl ${address}/.well-known/webmcp.json`);
  else print(`The shop publishes no tools to agents. ${manifestProblem}`);
}

/** The first line, without the stack that the runtime's errors carry in their message. */
function sentenceOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\n', 1)[0]?.slice(0, 200) ?? '';
}
