import { fail, type Result } from '../../../common/result.js';
import type { Caller } from '../../model/call.js';
import type { Operation } from '../../model/operation.js';
import { refusal } from '../../model/refusals.js';
import type { RelayError } from '../../model/relay-error.js';
import type { RateWindow } from '../../ports/quota-holds.js';
import type { RelayPorts } from '../context/relay-ports.js';
import { hostsOfCall, refuseClosedHosts } from '../request/refuse-hosts.js';
import { promptTexts } from '../request/prompt-texts.js';
import { wordFilterOf } from '../request/word-filter.js';
import type { ClientCall } from '../context/call-types.js';

/**
 * Stage 3: may this caller ask this? The rate windows it answers are passed together with the hold.
 * Fails: model-refused; channel-unavailable, when nobody serves it; rate-limited, when too many calls are under way;
 * content-refused; invalid-request, when a prompt that must be searched cannot be read, or an address to fetch is a private one.
 */
export function admitCall<O extends Operation>(
  ports: Pick<RelayPorts, 'admission' | 'options' | 'addresses'>,
  input: { readonly caller: Caller; readonly clientCall: ClientCall<O> },
): Result<readonly RateWindow[], RelayError> {
  const { parsed } = input.clientCall;
  const admitted = ports.admission.admit(input.caller, parsed.shape);
  if (!admitted.ok) return admitted;
  const closed = refuseClosedHosts(ports.addresses, hostsOfCall(parsed));
  if (closed !== undefined) return fail(closed);
  const words = ports.options.current().sensitiveWords;
  if (words.length === 0) return admitted;
  const request = parsed.neutral();
  if (!request.ok) return request;
  for (const text of promptTexts(parsed, request.value)) {
    const word = wordFilterOf(words).find(text);
    // The word's number only: neither prompts nor the list go into logs.
    if (word !== -1) return fail({ ...REFUSED, cause: `sensitive word ${word + 1}` });
  }
  return admitted;
}

const REFUSED = refusal('words-refused');
