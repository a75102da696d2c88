import type { Result } from '../../../common/result.js';
import type { RelayError } from '../../model/relay-error.js';
import type { PickInput, Route } from '../../ports/channel-picker.js';
import type { RelayPorts } from '../context/relay-ports.js';

/**
 * Stage 6: which channel, and under which name does it know the model?
 * Fails: channel-unavailable; invalid-request, when the prompt is too long for all; forbidden, when the key's channel does not serve.
 */
export function chooseChannel(
  ports: Pick<RelayPorts, 'channels'>,
  input: PickInput,
): Result<Route, RelayError> {
  return ports.channels.pick(input);
}
