import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';

/** A request as a scripted service got it. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly form: URLSearchParams;
}

abstract class ScriptedService {
  readonly seen: SeenRequest[] = [];
  private readonly server: Server;

  constructor() {
    this.server = createServer((request, response) => void this.take(request, response));
  }

  async start(): Promise<void> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  protected abstract answer(request: SeenRequest): { readonly status: number; readonly body: unknown };

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const url = new URL(request.url ?? '/', 'http://service');
    const seen = {
      method: request.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      form: new URLSearchParams(text),
    };
    this.seen.push(seen);
    const { status, body } = this.answer(seen);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  }
}

/** Order query of a payment service with the epay protocol: `api.php?act=order`. */
export class ScriptedEpay extends ScriptedService {
  /** Answers by our trade number. */
  readonly orders = new Map<string, unknown>();

  protected override answer({ path, query }: SeenRequest): { status: number; body: unknown } {
    if (path !== '/pay/api.php' || query.get('act') !== 'order') return { status: 404, body: 'no' };
    const order = this.orders.get(query.get('out_trade_no') ?? '');
    return { status: 200, body: order ?? { code: -1, msg: 'no such order' } };
  }
}

/** The part of the Stripe API a checkout needs, as its documentation describes it. */
export class ScriptedStripe extends ScriptedService {
  readonly sessions = new Map<string, Record<string, unknown>>();
  isBroken = false;

  protected override answer(request: SeenRequest): { status: number; body: unknown } {
    if (this.isBroken)
      return { status: 400, body: { error: { type: 'invalid_request_error', message: 'no' } } };
    if (request.headers.authorization !== 'Bearer sk_test_of_a_test')
      return { status: 401, body: { error: { type: 'invalid_request_error', message: 'Invalid API Key' } } };
    if (request.method === 'POST' && request.path === '/v1/checkout/sessions')
      return this.create(request.form);
    const session = this.sessions.get(request.path.replace('/v1/checkout/sessions/', ''));
    return session === undefined
      ? { status: 404, body: { error: { type: 'invalid_request_error', message: 'No such session' } } }
      : { status: 200, body: session };
  }

  private create(form: URLSearchParams): { status: number; body: unknown } {
    const id = `cs_test_${this.sessions.size + 1}`;
    const session = {
      id,
      object: 'checkout.session',
      client_reference_id: form.get('client_reference_id'),
      payment_status: 'unpaid',
      status: 'open',
      payment_intent: null,
      amount_total: Number(form.get('line_items[0][price_data][unit_amount]')),
      currency: form.get('line_items[0][price_data][currency]'),
      livemode: false,
      url: `https://checkout.stripe.example/c/pay/${id}`,
    };
    this.sessions.set(id, session);
    return { status: 200, body: session };
  }
}
