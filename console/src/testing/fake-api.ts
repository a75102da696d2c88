/** A call the console made. */
export interface MadeCall {
  readonly method: string;
  /** Path without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly headers: Headers;
}

/** Answer of a route: data, or a whole answer for refusals and headers. */
export type RouteAnswer =
  | {
      readonly data: unknown;
      readonly headers?: Readonly<Record<string, string>>;
      readonly members?: Readonly<Record<string, unknown>>;
    }
  | {
      readonly refused: string;
      readonly status?: number;
      readonly members?: Readonly<Record<string, unknown>>;
    }
  /** For what is no envelope. */
  | { readonly response: Response }
  | { readonly unreachable: true };

type Route = RouteAnswer | ((call: MadeCall) => RouteAnswer | Promise<RouteAnswer>);

/** Routes by "METHOD path". */
export type Routes = Readonly<Record<string, Route>>;

/** Answers about limits, which several pages show beside their subject. */
const NO_LIMITS: Routes = {
  'GET /api/limits': { data: { items: [], total: 0, page: 1, page_size: 10 } },
  'GET /api/limits/self': { data: [] },
  'GET /api/limits/rights': { data: { scopes: [], time_zone: 'UTC', binding: true } },
};

/** Replaces the server behind `fetch`. A call of a route without an answer fails the test, with its name. */
export class FakeApi {
  readonly calls: MadeCall[] = [];
  #routes: Record<string, Route>;
  readonly #fetch = globalThis.fetch;

  constructor(routes: Routes = {}) {
    this.#routes = { ...NO_LIMITS, ...routes };
  }

  /** Adds or replaces routes. */
  answer(routes: Routes): void {
    Object.assign(this.#routes, routes);
  }

  start(): void {
    globalThis.fetch = (input, init) => this.#respond(new Request(input, init));
  }

  stop(): void {
    globalThis.fetch = this.#fetch;
  }

  made(route: string): MadeCall[] {
    return this.calls.filter((call) => `${call.method} ${call.path}` === route);
  }

  async #respond(request: Request): Promise<Response> {
    request.signal.throwIfAborted();
    const address = new URL(request.url);
    const body = await request.text();
    const call: MadeCall = {
      method: request.method,
      path: address.pathname,
      query: address.searchParams,
      body: body === '' ? undefined : (JSON.parse(body) as unknown),
      headers: request.headers,
    };
    this.calls.push(call);
    const route = this.#routes[`${call.method} ${call.path}`];
    if (route === undefined) throw new Error(`no route prepared for ${call.method} ${call.path}`);
    const answer = typeof route === 'function' ? await route(call) : route;
    if ('unreachable' in answer) throw new TypeError('network is down');
    if ('response' in answer) return answer.response;
    if ('refused' in answer) {
      return Response.json(
        { success: false, message: answer.refused, ...answer.members },
        { status: answer.status ?? 200 },
      );
    }
    return Response.json(
      { success: true, message: '', data: answer.data, ...answer.members },
      { headers: answer.headers },
    );
  }
}

/** A page of a list that counts from 1. */
export function pageOf(items: readonly unknown[], total = items.length): RouteAnswer {
  return { data: { items, total, page: 1, page_size: 10 } };
}

/** A page of a list that counts from 0. */
export function bareList(items: readonly unknown[], total = items.length): RouteAnswer {
  return { data: items, headers: { 'X-Total-Count': String(total) } };
}
