/** An application on Node that uses `@ghostlight/node` as npm installs it, with the lines that the setup page gives, in every framework. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { SOURCES } from '../../packages/server/src/sources/index.ts';

const PACKAGE = fileURLToPath(new URL('../../packages/node/', import.meta.url));
const MODULES = fileURLToPath(new URL('../../node_modules/', import.meta.url));
const run = promisify(execFile);

export interface NodeProject {
  readonly folder: string;
  /** Where the package lies in it. */
  readonly installed: string;
  /** What the package holds. */
  readonly files: readonly string[];
  remove(): void;
}

/** A project that has installed the packed package, and nothing of this repository but the frameworks. */
export async function installNodePackage(): Promise<NodeProject> {
  const folder = mkdtempSync(join(tmpdir(), 'node-package-'));
  const installed = join(folder, 'node_modules/@ghostlight/node');
  mkdirSync(installed, { recursive: true });
  await run(process.execPath, [join(PACKAGE, 'build/build.ts')]);
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: PACKAGE,
    env: { ...process.env, npm_config_cache: join(folder, 'npm'), npm_config_update_notifier: 'false' },
  });
  const [packed] = JSON.parse(stdout) as { filename: string; files: { path: string }[] }[];
  if (packed === undefined) throw new Error(`npm packed nothing: ${stdout}`);
  await run('tar', ['-xzf', join(folder, packed.filename), '-C', installed, '--strip-components', '1']);
  for (const name of ['express', 'fastify', 'hono', '@hono/node-server', 'koa', '@types']) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(MODULES, name), link);
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  return {
    ...{ folder, installed, files: packed.files.map(({ path }) => path).sort() },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Each answers `/<name>/ok`, `/<name>/stream`, `/<name>/fail`, and `/<name>/slow` until its client leaves. */
export const FRAMEWORKS = ['express', 'fastify', 'hono', 'koa', 'http'] as const;
export type Framework = (typeof FRAMEWORKS)[number];

const APPLICATIONS: Readonly<Record<Framework, { title: string; before: string; after: string }>> = {
  express: {
    title: 'Express',
    before: `import express from 'express';\nconst app = express();`,
    after: `app.get('/express/ok', (_, response) => response.status(203).send('hello'));
      app.get('/express/stream', (_, response) => { response.write('a'.repeat(1000)); response.end('b'.repeat(234)); });
      app.get('/express/fail', () => { throw new Error('of the application'); });
      app.get('/express/slow', (_, response) => { response.write('x'.repeat(100)); });
      export const server = app.listen(0, '127.0.0.1');`,
  },
  fastify: {
    title: 'Fastify',
    before: `import Fastify from 'fastify';\nconst app = Fastify();`,
    after: `import { Readable } from 'node:stream';
      app.get('/fastify/ok', (_, reply) => reply.code(203).send('hello'));
      app.get('/fastify/stream', (_, reply) => reply.send(Readable.from(['a'.repeat(1000), 'b'.repeat(234)])));
      app.get('/fastify/fail', async () => { throw new Error('of the application'); });
      app.get('/fastify/slow', (_, reply) => { reply.hijack(); reply.raw.write('x'.repeat(100)); });
      await app.listen({ port: 0, host: '127.0.0.1' });
      export const { server } = app;`,
  },
  hono: {
    title: 'Hono',
    before: `import { serve } from '@hono/node-server';\nimport { Hono } from 'hono';\nconst app = new Hono();`,
    after: `const bytes = (text) => new TextEncoder().encode(text);
      const streamOf = (parts, ends) => new ReadableStream({ start(controller) {
        for (const part of parts) controller.enqueue(bytes(part));
        if (ends) controller.close();
      } });
      app.get('/hono/ok', (c) => c.text('hello', 203));
      app.get('/hono/stream', (c) => c.body(streamOf(['a'.repeat(1000), 'b'.repeat(234)], true)));
      app.get('/hono/fail', () => { throw new Error('of the application'); });
      app.get('/hono/slow', (c) => c.body(streamOf(['x'.repeat(100)], false)));
      export const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });`,
  },
  koa: {
    title: 'Koa',
    before: `import Koa from 'koa';\nconst app = new Koa();\napp.silent = true;`,
    after: `import { Readable } from 'node:stream';
      app.use((context) => {
        if (context.path === '/koa/ok') { context.status = 203; context.body = 'hello'; }
        if (context.path === '/koa/stream') context.body = Readable.from(['a'.repeat(1000), 'b'.repeat(234)]);
        if (context.path === '/koa/fail') throw new Error('of the application');
        if (context.path === '/koa/slow') { context.respond = false; context.res.statusCode = 200; context.res.write('x'.repeat(100)); }
      });
      export const server = app.listen(0, '127.0.0.1');`,
  },
  http: {
    title: 'node:http',
    before: `import http from 'node:http';
      const listener = (request, response) => {
        if (request.url.startsWith('/http/ok')) { response.statusCode = 203; response.end('hello'); }
        else if (request.url === '/http/stream') { response.write('a'.repeat(1000)); response.end(Buffer.alloc(234)); }
        else if (request.url === '/http/fail') { response.statusCode = 500; response.end(); }
        else if (request.url === '/http/slow') response.write('x'.repeat(100));
        else response.writeHead(404).end();
      };`,
    after: '',
  },
};

/** Prints its ports, then runs a command per line and prints the answer as a line. */
const MAIN = `import { createInterface } from 'node:readline';
  import { visits } from './ghostlight.js';
  import { visits as second } from './second.js';
  const ports = {};
  for (const name of ${JSON.stringify(FRAMEWORKS)}) {
    const { server } = await import('./' + name + '.js');
    if (!server.listening) await new Promise((resolve) => server.once('listening', resolve));
    ports[name] = server.address().port;
  }
  const say = (value) => console.log(JSON.stringify(value ?? null));
  say(ports);
  const does = {
    stats: () => visits.stats(),
    second: () => second.stats(),
    flush: () => visits.flush(),
    next: async ({ url, headers }) => {
      const works = [];
      const answer = await visits.next(new Request(url, { headers }), { waitUntil: (work) => works.push(work) });
      return { answer: answer === undefined ? null : await answer.text(), works: works.length };
    },
  };
  createInterface({ input: process.stdin }).on('line', async (line) => {
    const { ask, ...about } = JSON.parse(line);
    say(await does[ask](about));
  });`;

export interface ApplicationOptions {
  /** Address of the service. */
  readonly url: string;
  readonly attributionId: string;
  readonly key: string;
  /** Further members of the options, as source text. */
  readonly options: string;
}

export class NodeApplication {
  readonly #child: ChildProcess;
  readonly #answers: AsyncIterator<string>;
  ports: Readonly<Record<Framework, number>> = { express: 0, fastify: 0, hono: 0, koa: 0, http: 0 };
  errors = '';

  private constructor(child: ChildProcess) {
    this.#child = child;
    if (child.stdout === null) throw new Error('no output');
    this.#answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.errors += text;
    });
  }

  /** Writes the application into the project, and starts it. */
  static async start({ folder }: NodeProject, about: ApplicationOptions): Promise<NodeApplication> {
    const snippets = SOURCES.find(({ about: { name } }) => name === 'node')?.about.setup.steps.flatMap(
      (step) => step.snippets,
    );
    const snippet = (title: string): string => {
      const found = snippets?.find((one) => one.title === title);
      if (found === undefined) throw new Error(`the setup page has no ${title}`);
      return found.template;
    };
    const settings = snippet('ghostlight.js')
      .replace('{{base_url|json}}', JSON.stringify(about.url))
      .replace('{{attribution_id|json}}', JSON.stringify(about.attributionId))
      .replace('trustProxy: 1,', `trustProxy: 1, ${about.options}`);
    writeFileSync(join(folder, 'ghostlight.js'), settings);
    writeFileSync(join(folder, 'second.js'), settings);
    for (const name of FRAMEWORKS) {
      const { title, before, after } = APPLICATIONS[name];
      const lines = snippet(title).replace(
        /^http\.createServer(.*)listen\(8080\)/m,
        'export const server = http.createServer$1listen(0)',
      );
      writeFileSync(join(folder, `${name}.js`), `${before}\n${lines}\n${after}\n`);
    }
    writeFileSync(join(folder, 'main.js'), MAIN);
    const child = spawn(process.execPath, ['main.js'], {
      cwd: folder,
      env: { PATH: process.env['PATH'], GHOSTLIGHT_KEY: about.key },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const application = new NodeApplication(child);
    application.ports = (await application.#next()) as NodeApplication['ports'];
    return application;
  }

  async #next(): Promise<unknown> {
    const { value, done } = await this.#answers.next();
    if (done === true) throw new Error(`the application ended: ${this.errors}`);
    return JSON.parse(value);
  }

  async ask(ask: string, about: object = {}): Promise<Record<string, unknown>> {
    this.#child.stdin?.write(`${JSON.stringify({ ask, ...about })}\n`);
    return (await this.#next()) as Record<string, unknown>;
  }

  /** @returns the exit code or the signal that ended it */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | string | null> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return this.#child.exitCode;
    const ended = once(this.#child, 'exit');
    this.#child.kill(signal);
    const [code, how] = await ended;
    return how ?? code;
  }
}
