import type { AgentFixture } from './agent.fixture.js';

/** Where a client of the story knocks, and how it asks. */
export interface Place {
  readonly url: string;
  readonly key: string;
  readonly model: string;
  readonly isStreamed: boolean;
}

/** What one answer was to the client. */
export interface Told {
  readonly text: string;
  readonly thought: string;
  readonly calls: readonly { readonly name: string; readonly args: unknown }[];
  /** Tokens as the client counts them: all input, what of it was cached, all output. */
  readonly usage: readonly [number, number, number];
  /** How the answer ended, in the words of its dialect. */
  readonly reason: string;
}

/** A client's whole session, turn by turn. */
export type Session = (place: Place) => Promise<readonly Told[]>;

export const placeOf = (fixture: AgentFixture, model: string, isStreamed: boolean): Place => ({
  url: fixture.url,
  key: fixture.key,
  model,
  isStreamed,
});
