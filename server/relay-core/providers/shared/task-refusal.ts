import { refusal } from '../../model/refusals.js';
import type { RelayError } from '../../model/relay-error.js';
import { scrubSecrets, scrubText } from '../../model/text-scrub.js';
import type { Route } from '../../ports/channel-picker.js';
import { secretsOf } from './channel-secrets.js';

type UpstreamError = Extract<RelayError, { readonly blame: 'upstream' }>;
export type UpstreamKind = UpstreamError['kind'];

/**
 * A task that an upstream did not take on, with its message. Only the operator learns the state of the channel's account.
 * @param status  of the reply; undefined = inside a 200
 */
export function readTaskRefusal(
  kind: UpstreamKind,
  sentence: string | undefined,
  route: Route,
  status?: number,
): UpstreamError {
  const secrets = secretsOf(route);
  const shown =
    kind === 'upstream-quota-spent' ? refusal('channel-spent').message : scrubText(sentence ?? '', secrets);
  const said = scrubSecrets(sentence ?? '', secrets);
  return {
    kind,
    blame: 'upstream',
    message: shown === '' ? refusal('task-refused').message : shown,
    ...(said === '' ? {} : { vendorSays: { sentence: said, ...(status === undefined ? {} : { status }) } }),
  };
}
