import type { FormatName } from './agents/agent.fixture.js';

/** What one client did over one upstream in one scenario. */
export interface Cell {
  readonly client: string;
  readonly upstream: FormatName;
  readonly scenario: string;
  readonly isRight: boolean;
  readonly detail?: string;
  /** Input and output tokens, where the client tells them. */
  readonly usage?: readonly [number, number] | null;
}
