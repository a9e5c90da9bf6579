/** The collector around a Worker that a zone already has. */
import type { CollectorEnv, WorkerContext } from './platform.ts';
import type { Collector } from './worker.ts';

type FetchHandler = (request: Request, env: CollectorEnv, ctx: WorkerContext) => Response | Promise<Response>;

/** An instance of the platform's `WorkerEntrypoint`. */
interface Entrypoint {
  readonly env: CollectorEnv;
  readonly ctx: WorkerContext;
  fetch(request: Request): Response | Promise<Response>;
}

type EntrypointClass = new (...args: never[]) => Entrypoint;

/**
 * Wraps what a Worker exports: an object of handlers (`export default { fetch, scheduled }`, or an application like Hono's), or a
 * class derived from `WorkerEntrypoint`. Its `fetch` keeps its `this`, its arguments and its response; every other handler is left
 * alone. Unlike the collector on its own it does not pass through on exceptions: what a Worker throws is its own matter.
 * @returns a Worker of the same type; the argument itself if it answers no requests
 */
export function wrapWith(collector: Collector): <Handler extends object>(handler: Handler) => Handler {
  return (handler) => {
    if (typeof handler === 'function')
      return wrapClass(collector, handler as unknown as EntrypointClass) as never;
    return wrapObject(collector, handler);
  };
}

function wrapObject<Handler extends object>(collector: Collector, handler: Handler): Handler {
  const { fetch: own } = handler as { fetch?: FetchHandler };
  if (typeof own !== 'function') return handler;
  const fetch: FetchHandler = (request, env, ctx) =>
    collector.handle(request, env, ctx, () => own.call(handler, request, env, ctx));
  const member = (name: string | symbol): unknown => {
    if (name === 'fetch') return fetch;
    const value: unknown = Reflect.get(handler, name, handler);
    return typeof value === 'function' ? value.bind(handler) : value;
  };
  // Not a copy: handlers may live on a prototype and use private members, which only the object itself has. And a proxy of an heir, not
  // of the object itself, which may be frozen: then a proxy must give its own `fetch`. What is copied from it (`{ ...worker }`, as
  // `wrangler dev` does around its middleware) has every handler that a copy of the Worker itself would have.
  return new Proxy(Object.create(handler) as Handler, {
    get: (_, name) => member(name),
    ownKeys: () => [...new Set([...Reflect.ownKeys(handler), 'fetch'])],
    getOwnPropertyDescriptor(_, name) {
      const own = Reflect.getOwnPropertyDescriptor(handler, name);
      if (own === undefined && name !== 'fetch') return undefined;
      // Configurable, whatever it is there: a proxy may not claim otherwise of what its target lacks.
      return {
        value: member(name),
        enumerable: own?.enumerable ?? true,
        writable: true,
        configurable: true,
      };
    },
  });
}

function wrapClass(collector: Collector, base: EntrypointClass): EntrypointClass {
  if (typeof base.prototype?.fetch !== 'function') return base;
  return class extends base {
    override fetch(request: Request): Promise<Response> {
      return collector.handle(request, this.env, this.ctx, () => super.fetch(request));
    }
  };
}
