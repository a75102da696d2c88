/** Request and response of one call, as they passed between the console and the gateway. */
export interface Exchange {
  readonly requestId: string;
  readonly path: string;
  readonly body: unknown;
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Data of the events in order; of a refusal its body. */
  readonly events: readonly string[];
  /** Events beyond the limit, which were not kept. */
  readonly dropped: number;
}

/** So many calls are kept, the newest. */
const MAX_EXCHANGES = 40;
/** Characters of the events of one call that are kept. */
const MAX_CHARACTERS = 2_000_000;

/** Exchanges of this visit. They are never stored: a body holds the whole conversation. */
export class Exchanges {
  private readonly kept = new Map<string, Exchange>();

  find(requestId: string): Exchange | undefined {
    return this.kept.get(requestId);
  }

  /** Begins a record; events are added through the result. */
  begin(path: string, body: unknown, response: Response): { add(data: string): void } {
    const events: string[] = [];
    let characters = 0;
    const exchange = {
      requestId: response.headers.get('x-request-id') ?? '',
      path,
      body,
      status: response.status,
      headers: [...response.headers],
      events,
      dropped: 0,
    };
    this.kept.set(exchange.requestId, exchange);
    const [oldest] = this.kept.keys();
    if (this.kept.size > MAX_EXCHANGES && oldest !== undefined) this.kept.delete(oldest);
    return {
      add: (data) => {
        characters += data.length;
        if (characters > MAX_CHARACTERS) exchange.dropped += 1;
        else events.push(data);
      },
    };
  }
}
