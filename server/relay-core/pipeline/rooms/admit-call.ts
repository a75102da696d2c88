import type { Result } from '../../../common/result.js';
import type { Caller, CallShape } from '../../model/call.js';
import type { RelayError } from '../../model/relay-error.js';
import type { RateWindow } from '../../ports/quota-desk.js';
import type { RelayPorts } from '../relay-ports.js';

/**
 * Room 3: may this caller ask this? The rate windows it answers are passed together with the hold.
 * Fails: model-refused.
 */
export function admitCall(
  ports: Pick<RelayPorts, 'admission'>,
  input: { readonly caller: Caller; readonly shape: CallShape },
): Result<readonly RateWindow[], RelayError> {
  return ports.admission.admit(input.caller, input.shape);
}
