import type { FormatName } from './agents/agent.fixture.js';

/** Result of one client over one upstream in one scenario. */
export interface Cell {
  readonly client: string;
  readonly upstream: FormatName;
  readonly scenario: string;
  readonly isRight: boolean;
  readonly detail?: string;
  /** Input and output tokens, if the client reports them. */
  readonly usage?: readonly [number, number] | null;
}
