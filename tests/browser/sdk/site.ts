/**
 * A customer's site with the SDK as it is shipped, and the service's end of its requests: one server under several names, since what the
 * SDK does with cookies depends on the name. `shop.test` and `www.shop.test` are the site, `track.shop.test` its tracking domain,
 * `ghost.test` the service elsewhere.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { makeArtefacts } from '../../../packages/sdk/build/artefacts.ts';
import { snippet } from '../../../packages/sdk/src/snippet.ts';
import { launchBrowser } from '../browser.ts';

export const ATTRIBUTION_ID = '3f2b8c1e-7a4d-4c52-9b0e-5d6f7a8b9c01';
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
export const GRANTED = { analytics: true, advertising: true };
const FLAGS = ['--host-resolver-rules=MAP *.test 127.0.0.1'];
/** A tab that sees the browser as a person's. */
const HUMAN = `Object.defineProperty(Navigator.prototype, 'webdriver', { get: () => false });`;
const USER_AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36';

export type Event = Record<string, unknown> & {
  event_name: string;
  event_id: string;
  visitor_id: string;
  session_id: string;
  page_location: string;
  page_referrer: string;
};

interface Received {
  readonly host: string;
  readonly contentType: string;
  readonly cookie: string;
  readonly events: Event[];
}

export interface PageOptions {
  /** What `init` is given besides the ids. Default: everything is granted. */
  readonly init?: Record<string, unknown>;
  /** Host of the endpoint. Default `ghost.test`. */
  readonly endpoint?: string;
  /** Replaces the snippet: text of the page's head. */
  readonly head?: string;
  readonly csp?: string;
}

export class Site {
  readonly received: Received[] = [];
  /** How the service answers. */
  answer: { status?: number; visitor_id?: string | null; setCookie?: string } = {};
  /** Of every page from now on. */
  page: PageOptions = {};
  readonly #server = createServer((request, response) => void this.#respond(request, response));
  #artefacts: ReadonlyMap<string, string> = new Map();
  #browser: Browser | undefined;
  #contexts: BrowserContext[] = [];

  async start(): Promise<void> {
    [this.#artefacts, this.#browser] = await Promise.all([makeArtefacts(), launchBrowser(FLAGS)]);
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  async dispose(): Promise<void> {
    await this.#browser?.close();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Closes what a test has opened; the next one starts from nothing. */
  async reset(): Promise<void> {
    await Promise.all(this.#contexts.splice(0).map((context) => context.close()));
    this.received.length = 0;
    this.answer = {};
    this.page = {};
  }

  /** A browser of its own: nothing stored yet. */
  async visitor(options: { readonly isBot?: boolean } = {}): Promise<BrowserContext> {
    if (this.#browser === undefined) throw new Error('start() comes first');
    const context = await this.#browser.newContext(options.isBot ? {} : { userAgent: USER_AGENT });
    if (!options.isBot) await context.addInitScript(HUMAN);
    context.setDefaultTimeout(10_000);
    this.#contexts.push(context);
    return context;
  }

  /** A visitor's first page, the SDK running on it. */
  async visit(path = '/', host = 'shop.test'): Promise<Page> {
    const page = await (await this.visitor()).newPage();
    await page.goto(this.url(path, host));
    await ready(page);
    return page;
  }

  url(path = '/', host = 'shop.test'): string {
    return `http://${host}:${(this.#server.address() as AddressInfo).port}${path}`;
  }

  /** The script as it is shipped. */
  get script(): string {
    return this.#artefacts.get('dist/sdk.js') ?? '';
  }

  /** In the order of arrival, each once. */
  get events(): Event[] {
    const all = this.received.flatMap(({ events }) => events);
    return [...new Map(all.map((event) => [event.event_id, event])).values()];
  }

  get names(): string[] {
    return this.events.map((event) => event.event_name);
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    if (request.method === 'POST' && pathname === '/api/events') return this.#receive(request, response);
    if (pathname === '/sdk.js' || pathname === '/sdk.mjs') {
      const name = pathname === '/sdk.js' ? 'dist/sdk.js' : 'dist/index.js';
      response.setHeader('content-type', 'text/javascript');
      return void response.end(this.#artefacts.get(name));
    }
    if (pathname === '/favicon.ico') return void response.writeHead(204).end();
    response.setHeader('content-type', 'text/html; charset=utf-8');
    if (this.page.csp !== undefined) response.setHeader('content-security-policy', this.page.csp);
    response.end(
      `<!doctype html><title>Page ${pathname}</title>${this.page.head ?? this.snippet()}<a href="/next">Next</a>`,
    );
  }

  /** As a customer pastes it, with this page's own options. */
  snippet(): string {
    const endpoint = this.url('', this.page.endpoint ?? 'ghost.test');
    const options = JSON.stringify(this.page.init ?? { consent: GRANTED }).slice(1, -1);
    const text = snippet({ attributionId: ATTRIBUTION_ID, endpoint });
    return options === '' ? text : text.replace('\n});', `,\n${options}\n});`);
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { status = 200, visitor_id, setCookie } = this.answer;
    if (status === 200) {
      this.received.push({
        host: (request.headers.host ?? '').replace(/:\d+$/, ''),
        contentType: request.headers['content-type'] ?? '',
        cookie: request.headers.cookie ?? '',
        events: JSON.parse(body),
      });
    }
    if (setCookie !== undefined) response.setHeader('set-cookie', setCookie);
    response.writeHead(status, {
      'content-type': 'application/json',
      // As the service does: with credentials at a tracking domain alone.
      ...(request.headers.host?.startsWith('track.')
        ? {
            'access-control-allow-origin': request.headers.origin,
            'access-control-allow-credentials': 'true',
          }
        : { 'access-control-allow-origin': '*' }),
    });
    response.end(JSON.stringify({ visitor_id: visitor_id ?? null }));
  }
}

/** Waits until the SDK runs. */
export const ready = (page: Page): Promise<unknown> => page.evaluate('ghostlight.ready().then(() => 1)');

/** What a call answers. */
export const ask = <T = string>(page: Page, call: string): Promise<T> =>
  page.evaluate<T>(`ghostlight.${call}`);

/** All that a page's own origin holds of the SDK. */
export async function stored(page: Page): Promise<Record<string, string>> {
  return await page.evaluate<Record<string, string>>(`Object.fromEntries([
    ...document.cookie.split('; ').filter(Boolean).map((pair) => ['cookie ' + pair.split('=')[0], pair.split('=')[1]]),
    ...Object.entries({ ...localStorage }).map(([name, value]) => ['local ' + name, value]),
    ...Object.entries({ ...sessionStorage }).map(([name, value]) => ['session ' + name, value]),
  ])`);
}
