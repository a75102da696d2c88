import type { Result } from '../../../common/result.js';
import type { Caller } from '../../model/call.js';
import type { RelayError } from '../../model/relay-error.js';
import type { Route } from '../../ports/channel-picker.js';
import type { RelayPorts } from '../relay-ports.js';

/**
 * Room 6: which channel, and under which name does it know the model?
 * Fails: channel-unavailable.
 */
export function chooseChannel(
  ports: Pick<RelayPorts, 'channels'>,
  input: {
    readonly caller: Caller;
    readonly model: string;
    readonly attempt: number;
    readonly tried: ReadonlySet<number>;
  },
): Result<Route, RelayError> {
  return ports.channels.pick(input);
}
