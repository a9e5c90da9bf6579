/**
 * A customer's shop as the manual tells people to build one: pages with the snippet and a consent banner, a checkout that hands the visitor
 * id to the shop's own back end, and a back end that posts the order to the service. `shop.test` is the shop, `ghost.test` the service.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { snippet } from '../../packages/sdk/src/snippet.ts';
import type { Answer, TestService } from '../harness/service.ts';

export const SHOP_FLAGS = ['--host-resolver-rules=MAP *.test 127.0.0.1'];

/** Whom the orders are of. None of it may be found in a log, or readable on the disk. */
export const CUSTOMER = {
  email: 'erika.unusual@mail.example',
  phone: '+4930901820',
  first_name: 'Erika-Unusual',
  last_name: 'Mustermann-Unusual',
} as const;

/** What the back end was answered. */
export interface Posted {
  readonly status: number;
  readonly body: { id: string; session_matched: boolean; duplicate: boolean; warnings: unknown[] };
}

export class Shop {
  readonly #service: TestService;
  readonly #server = createServer((request, response) => void this.#respond(request, response));
  #property = '';
  #key = '';

  constructor(service: TestService) {
    this.#service = service;
  }

  /** Makes the property, enables receiving and issues the key, then opens the shop. The service runs. */
  async open(): Promise<this> {
    const api = async (method: string, path: string, body: unknown) => {
      const answer = await this.#service.api(method, `/api/v1/properties${path}`, body);
      if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body as Record<string, string>;
    };
    this.#property = (await api('POST', '', { name: 'Shop', domain: 'shop.test' }))['id'] ?? '';
    await api('PUT', `/${this.#property}/webhooks`, { enabled: true });
    const issued = await api('POST', `/${this.#property}/webhook-keys`, { name: 'Shop', rate_limit: 10_000 });
    this.#key = issued['key'] ?? '';
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get key(): string {
    return this.#key;
  }

  url(path = '/'): string {
    return `http://shop.test:${(this.#server.address() as AddressInfo).port}${path}`;
  }

  /** What the dashboard would read of this property. */
  async ask<T>(path: string): Promise<T> {
    const { status, body } = await this.#service.api('GET', `/api/v1/properties/${this.#property}${path}`);
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
    return body as T;
  }

  /** The back end's own request, also for what no page asks for, such as a refund. */
  async post(topic: string, body: object): Promise<Posted> {
    const answer: Answer = await this.#service.call('POST', `/webhooks/custom/${this.#property}/${topic}`, {
      headers: { Authorization: `Bearer ${this.#key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: answer.body as Posted['body'] };
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://shop');
    if (request.method === 'POST' && pathname === '/order') {
      let sent = '';
      for await (const chunk of request) sent += chunk;
      const { number, visitorId } = JSON.parse(sent) as { number: string; visitorId: string };
      const posted = await this.post('purchase', {
        conversion_id: number,
        visitor_id: visitorId,
        value: 99.9,
        currency: 'EUR',
        user_data: CUSTOMER,
        products: [{ id: 'lamp-1', name: 'Lamp', quantity: 1, price: 99.9 }],
      });
      return void response.setHeader('content-type', 'application/json').end(JSON.stringify(posted));
    }
    if (pathname === '/favicon.ico') return void response.writeHead(204).end();
    response.setHeader('content-type', 'text/html; charset=utf-8').end(this.#page(pathname));
  }

  #page(pathname: string): string {
    const endpoint = `http://ghost.test:${new URL(this.#service.address).port}`;
    const all = (granted: boolean) =>
      `ghostlight.setConsent({ analytics: ${granted}, advertising: ${granted} })`;
    return `<!doctype html><title>Shop ${pathname}</title>
${snippet({ attributionId: this.#property, endpoint })}
<button onclick="${all(true)}">Accept</button> <button onclick="${all(false)}">Refuse</button>
<a href="/lamp">Lamp</a> <a href="/checkout">Checkout</a>
<script>
  async function buy(number) {
    const visitorId = await ghostlight.getVisitorId();
    const answer = await fetch('/order', { method: 'POST', body: JSON.stringify({ number, visitorId }) });
    return await answer.json();
  }
</script>`;
  }
}
