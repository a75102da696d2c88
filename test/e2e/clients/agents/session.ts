import type { AgentFixture } from './agent.fixture.js';

/** Address and model for a client of the story. */
export interface Place {
  readonly url: string;
  readonly key: string;
  readonly model: string;
  /** Model of a turn, where the conversation moves; absent = the same for all. */
  readonly modelAt?: (turn: number) => string;
  readonly isStreamed: boolean;
}

/** One answer as the client sees it. */
export interface Told {
  readonly text: string;
  readonly thought: string;
  readonly calls: readonly { readonly name: string; readonly args: unknown }[];
  /** Tokens as the client counts them: all input, what of it was cached, all output. */
  readonly usage: readonly [number, number, number];
  /** Finish reason in the words of its dialect. */
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
