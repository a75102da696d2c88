import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as OTLP's JSON has it, attributes made plain. */
export interface SeenSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly kind: number;
  readonly isError: boolean;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, unknown>>;
}

interface RawSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly kind: number;
  readonly status?: { readonly code?: number };
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes?: readonly { readonly key: string; readonly value: unknown }[];
}

interface RawTraces {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly { readonly key: string; readonly value: unknown }[] };
    readonly scopeSpans: readonly { readonly spans: readonly RawSpan[] }[];
  }[];
}

/** A collector for OTLP over HTTP with JSON, in the exporter's form, with a scripted answer. */
export class TraceCollector {
  readonly spans: SeenSpan[] = [];
  readonly texts: string[] = [];
  readonly headers: IncomingHttpHeaders[] = [];
  resource: Readonly<Record<string, unknown>> = {};
  /** Status of its answer; 200 unless a test wants otherwise. */
  status = 200;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<TraceCollector> {
    const server = createServer();
    const collector = new TraceCollector(server);
    server.on('request', (request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        collector.headers.push(request.headers);
        if (request.url === '/v1/traces' && collector.status === 200)
          collector.take(Buffer.concat(parts).toString());
        response.writeHead(collector.status, { 'content-type': 'application/json' }).end('{}');
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    if (this.server.listening) await once(this.server, 'close');
  }

  private take(text: string): void {
    this.texts.push(text);
    const { resourceSpans } = JSON.parse(text) as RawTraces;
    for (const { resource, scopeSpans } of resourceSpans) {
      this.resource = plain(resource.attributes);
      for (const { spans } of scopeSpans) for (const span of spans) this.spans.push(seen(span));
    }
  }
}

const seen = (span: RawSpan): SeenSpan => ({
  name: span.name,
  traceId: span.traceId,
  spanId: span.spanId,
  parentSpanId: span.parentSpanId,
  kind: span.kind,
  isError: span.status?.code === 2,
  startMs: Number(BigInt(span.startTimeUnixNano) / 1_000_000n),
  endMs: Number(BigInt(span.endTimeUnixNano) / 1_000_000n),
  attributes: plain(span.attributes ?? []),
});

function plain(
  attributes: readonly { readonly key: string; readonly value: unknown }[],
): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, plainValue(value)]));
}

function plainValue(value: unknown): unknown {
  const [[type, content] = ['', undefined]] = Object.entries(value as Record<string, unknown>);
  if (type === 'intValue') return Number(content);
  if (type !== 'arrayValue') return content;
  return ((content as { values?: readonly unknown[] }).values ?? []).map(plainValue);
}
