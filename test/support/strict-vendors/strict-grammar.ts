import type { ServerResponse } from 'node:http';
import type { VendorRequest } from '../vendor-request.js';
import type { FailureKind, Json, Step, Story, Understood } from './story.js';

/** The answer of one turn, and how it is to be written. */
export interface Wanted extends Understood {
  readonly step: Step;
  readonly story: Story;
  readonly body: Json;
}

/** One vendor's grammar, as strict as the vendor. */
export interface StrictGrammar {
  /** The whole conversation of a request that holds only what is new of it. Fails: throws a refusal. */
  restore?(body: Json): Json;
  /** Fails: throws a refusal. */
  understand(body: Json, request: VendorRequest, story: Story): Understood;
  answer(wanted: Wanted, response: ServerResponse): void;
  refusal(message: string): Json;
  /** This vendor's failures, for an outage or a refused request. */
  readonly failures?: Readonly<Record<FailureKind, VendorFailure>>;
}

export interface VendorFailure {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: Json;
}

/** Writes a whole answer. */
export function sendJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** Writes frames of an event stream in one go; names come from `type` where the grammar has them. */
export function sendEvents(response: ServerResponse, events: readonly Json[], tail = ''): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const named = (event: Json): string =>
    typeof event['type'] === 'string' ? `event: ${event['type']}\n` : '';
  response.end(events.map((event) => `${named(event)}data: ${JSON.stringify(event)}\n\n`).join('') + tail);
}
