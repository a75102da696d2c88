import type { Schema } from './schema.js';

/**
 * One step of the schema. Forward in production; `down` exists so that a step can be tried and taken back while it is young.
 * The previous release must run on the schema of this one: add first, remove a release later.
 */
export interface Migration {
  /** Milliseconds since 1970 and what it does; sorts the steps and is stored. */
  readonly name: string;
  /** `logs`: the step is about tables that may live in the database of the call logs, and runs there as well. */
  readonly appliesTo: 'main' | 'logs';
  /**
   * Only for a step that takes something away: the newest step that the first release without need of it knows. Older programs
   * refuse to start from then on. Left out by every step that only adds.
   */
  readonly oldestReader?: string;
  up(schema: Schema): Promise<void>;
  down(schema: Schema): Promise<void>;
}
