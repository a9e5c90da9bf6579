/** A site with the plugin on PHP's own server, and the service that it reports to. Neither needs WordPress. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { freePort } from '../../../tests/harness/free-port.ts';
import { fileOf, PHP } from './php.ts';

export const ID = '11111111-2222-4333-8444-555555555555';
export const KEY = 'svc_cf_0123456789';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** Lines of JSON, as objects; empty for other requests. */
  readonly lines: readonly Record<string, unknown>[];
}

interface Answer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** What the plugin asks, and what the test answers. */
export class Service {
  readonly asked: Asked[] = [];
  /** By path; undefined: posts are taken, and everything else is answered 404. */
  answer: (asked: Asked) => Answer | undefined = () => undefined;
  #server = createServer((request, response) => {
    this.#take(request, response).catch(() => response.destroy());
  });

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** All visits that were posted. */
  visits(): Record<string, unknown>[] {
    return this.asked.flatMap(({ lines }) => lines);
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
    const whole = Buffer.concat(parts);
    const text = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(whole) : whole).toString();
    const asked: Asked = {
      ...{ method: request.method ?? '', path: request.url ?? '', headers: request.headers },
      lines: text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    };
    this.asked.push(asked);
    const {
      status,
      headers = {},
      body = '',
    } = this.answer(asked) ?? (request.method === 'POST' ? reportOn(asked) : { status: 404 });
    response.writeHead(status, headers).end(body);
  }
}

const reportOn = ({ lines }: Asked): Answer => ({
  status: 200,
  body: JSON.stringify({ kept: lines.length, dropped: 0, duplicate: 0, rejected: 0, errors: [] }),
});

type Options = Record<string, unknown>;

const ADMINISTRATOR = { Cookie: 'test_role=administrator' };

export class Site {
  readonly #folder = mkdtempSync(join(tmpdir(), 'ghostlight-wordpress-'));
  readonly #child: ChildProcess;
  readonly #port: number;

  /** @param canFinish whether the server can end an answer before its script ends, as PHP-FPM can */
  static async start(canFinish: boolean): Promise<Site> {
    const site = new Site(await freePort(), canFinish);
    for (let tries = 0; ; tries += 1) {
      try {
        await site.visit('/test/install');
        return site;
      } catch (error) {
        if (tries === 200) throw error;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }

  private constructor(port: number, canFinish: boolean) {
    this.#port = port;
    this.#child = spawn(
      PHP ?? 'php',
      ['-d', 'variables_order=EGPCS', '-S', `127.0.0.1:${port}`, fileOf('site.php')],
      {
        stdio: 'ignore',
        env: {
          PATH: process.env['PATH'],
          SITE_DATABASE: join(this.#folder, 'site.db'),
          ...(canFinish ? { FINISHES: '1' } : {}),
        },
      },
    );
  }

  /** @returns the site's answer. Its script has ended: the server closes the connection then. */
  async visit(path: string, headers: Record<string, string> = {}, init: RequestInit = {}): Promise<Response> {
    const answer = await fetch(`http://127.0.0.1:${this.#port}${path}`, {
      ...init,
      redirect: 'manual',
      headers: {
        'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
        ...headers,
      },
    });
    const text = await answer.text();
    return new Response([204, 304].includes(answer.status) ? null : text, answer);
  }

  crawl = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    this.visit(path, { 'User-Agent': 'GPTBot/1.3', ...headers });

  /** Sets what is given, null deletes. @returns all options of the site */
  async options(set: Options = {}): Promise<Options> {
    return (await (
      await this.visit('/test/options', {}, { method: 'POST', body: JSON.stringify(set) })
    ).json()) as Options;
  }

  /** Sends the form of the settings page. @returns what the page complains of */
  async save(form: { settings: object; key?: string }): Promise<string[]> {
    const answer = await this.visit('/test/save', {}, { method: 'POST', body: JSON.stringify(form) });
    return (await answer.json()) as string[];
  }

  /** The settings page as the administrator sees it, in HTML. */
  page = async (headers: Record<string, string> = {}): Promise<string> =>
    await (await this.visit('/test/page', { ...ADMINISTRATOR, ...headers })).text();

  /** Presses “Send a test visit”. @returns the settings page after it */
  async sendTest(headers: Record<string, string> = {}): Promise<string> {
    await this.visit('/test/send', { ...ADMINISTRATOR, ...headers });
    return await this.page(headers);
  }

  /** As wp-cron does it: runs whatever is planned. */
  cron = (): Promise<Response> => this.visit('/wp-cron.php');

  /** As new: nothing waits, nothing was sent, and these settings. */
  async reset(settings: object): Promise<void> {
    await this.visit('/test/drop-table');
    const nothing = Object.fromEntries(Object.keys(await this.options()).map((name) => [name, null]));
    await this.options(nothing);
    await this.visit('/test/install');
    await this.options({ ghostlight_settings: settings, ghostlight_secret: { key: KEY }, cron: {} });
  }

  /** What PHP complained of. */
  errors(): string {
    const path = join(this.#folder, 'site.db.errors');
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGKILL');
    await new Promise((resolve) => this.#child.once('close', resolve));
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
