import type { Result } from '../../common/result.js';
import type { Caller } from '../model/call.js';
import type { RelayError } from '../model/relay-error.js';
import type { TaskOrigin } from '../model/task.js';

/** Knows where earlier tasks are: only the account of a channel that took one on can go on from it. */
export abstract class TaskOrigins {
  /**
   * @returns the channel that took on this caller's task
   * Fails: invalid-request (no such task of this caller, or not finished), channel-unavailable (its channel is gone or off).
   */
  abstract findChannel(caller: Caller, origin: TaskOrigin): Promise<Result<number, RelayError>>;
}
