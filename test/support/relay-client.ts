import { once } from 'node:events';
import {
  Agent,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as httpRequest,
} from 'node:http';

export interface RelayAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The connection ended before the reply did. */
  readonly isCut: boolean;
}

export interface RelayAsk {
  readonly path?: string;
  readonly method?: string;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Counts 10 tokens by the gateway's own estimate, which is what the fixtures report: a hold then equals its charge. */
export const FX_MESSAGES = [{ role: 'user', content: 'Say tok 50 times' }];

/** A plain HTTP client of the relay, close enough to the socket to misbehave. */
export class RelayClient {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 2_000 });

  constructor(
    private readonly url: string,
    private readonly key: string,
  ) {}

  chat(model: string, extra: Readonly<Record<string, unknown>> = {}): Promise<RelayAnswer> {
    return this.ask({ body: { model, messages: FX_MESSAGES, ...extra } });
  }

  /** Sends and reads the whole answer. Fails: rejects when no answer came at all. */
  async ask(ask: RelayAsk): Promise<RelayAnswer> {
    const { request } = this.open(ask);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return readAnswer(response);
  }

  /** Begins a streamed call and hands over the reply unread, for clients that are slow or leave. */
  async openStream(model: string, extra: Readonly<Record<string, unknown>> = {}): Promise<OpenStream> {
    const { request } = this.open({ body: { model, stream: true, messages: FX_MESSAGES, ...extra } });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return new OpenStream(request, response);
  }

  /** The request as it leaves; destroy it to leave before the answer. */
  open({ path = '/v1/chat/completions', method = 'POST', key, headers = {}, body }: RelayAsk): {
    request: ClientRequest;
  } {
    const bytes =
      body === undefined
        ? undefined
        : Buffer.isBuffer(body)
          ? body
          : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    const request = httpRequest(`${this.url}${path}`, {
      method,
      agent: this.agent,
      headers: {
        authorization: `Bearer ${key ?? this.key}`,
        ...(bytes === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': bytes.length }),
        ...headers,
      },
    });
    // The waiter for the response gets the error through `once`.
    request.on('error', () => undefined);
    request.end(bytes);
    return { request };
  }

  close(): void {
    this.agent.destroy();
  }
}

export class OpenStream {
  readonly status: number;
  private text = '';

  constructor(
    private readonly request: ClientRequest,
    readonly response: IncomingMessage,
  ) {
    this.status = response.statusCode ?? 0;
    response.on('error', () => undefined);
  }

  /** Reads until so many `data:` events have come. */
  async readEvents(count: number): Promise<string> {
    while (eventCount(this.text) < count) {
      const [chunk] = (await once(this.response, 'data')) as [Buffer];
      this.text += chunk.toString();
    }
    return this.text;
  }

  async readAll(): Promise<RelayAnswer> {
    const rest = await readAnswer(this.response);
    return { ...rest, text: this.text + rest.text };
  }

  leave(): void {
    this.request.destroy();
  }
}

export const eventCount = (text: string): number =>
  text.split('\n\n').filter((event) => event.startsWith('data: ')).length;

/** Text of all deltas of a stream. */
export const deltasOf = (text: string): string =>
  text
    .split('\n\n')
    .filter((event) => event.startsWith('data: {'))
    .map((event) => {
      const chunk = JSON.parse(event.slice(6)) as { choices?: { delta?: { content?: string } }[] };
      return chunk.choices?.[0]?.delta?.content ?? '';
    })
    .join('');

/** The error object of a refused call. */
export const errorOf = (
  answer: RelayAnswer,
): { message: string; type: string; code: string | null; param: string | null } =>
  (
    JSON.parse(answer.text) as {
      error: { message: string; type: string; code: string | null; param: string | null };
    }
  ).error;

function readAnswer(response: IncomingMessage): Promise<RelayAnswer> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    response.on('data', (part: Buffer) => parts.push(part));
    response.on('close', () =>
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        text: Buffer.concat(parts).toString(),
        isCut: !response.complete,
      }),
    );
  });
}
