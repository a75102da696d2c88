import { fail, ok, type Result } from '../../../common/result.js';
import { refusal } from '../../model/refusals.js';
import type { RelayError } from '../../model/relay-error.js';
import type { KeyFault } from '../channel-form.js';
import type { AwsCredentials } from './signing.js';

/** Account and region in a channel's key. */
export type BedrockCredential =
  | { readonly type: 'signed'; readonly region: string; readonly credentials: AwsCredentials }
  | { readonly type: 'api-key'; readonly region: string; readonly apiKey: string };

const REGION = /^[a-z]{2}(?:-[a-z]+)+-\d{1,2}$/;

/**
 * Reads `ACCESS_KEY|SECRET|REGION`, `ACCESS_KEY|SECRET|REGION|SESSION_TOKEN` or `API_KEY|REGION`; blanks around the
 * parts are trimmed. Fails: upstream-key-refused, naming the part that is wrong.
 */
export function readBedrockCredential(credential: string): Result<BedrockCredential, RelayError> {
  const parts = credential.split('|').map((part) => part.trim());
  if (parts.length < 2 || parts.length > 4)
    return refuse('it must read ACCESS_KEY|SECRET|REGION or API_KEY|REGION');
  const region = parts[parts.length === 2 ? 1 : 2] ?? '';
  if (!REGION.test(region)) return refuse('its region is missing or no region of AWS');
  const [first = '', second = '', , token = ''] = parts;
  if (first === '') return refuse('its first part is empty');
  if (parts.length === 2) return ok({ type: 'api-key', region, apiKey: first });
  if (second === '') return refuse('its secret is empty');
  const credentials = {
    accessKeyId: first,
    secretAccessKey: second,
    ...(token === '' ? {} : { sessionToken: token }),
  };
  return ok({ type: 'signed', region, credentials });
}

const refuse = (reason: string): { readonly ok: false; readonly error: RelayError } =>
  fail(refusal('channel-key-unusable', { why: reason }));

const KEYS_FORM = 'ACCESS_KEY|SECRET|REGION';
const API_KEY_FORM = 'API_KEY|REGION';

/** The first part of a key that is missing or wrong. */
export function checkBedrockKey(key: string): KeyFault | undefined {
  if (readBedrockCredential(key).ok) return undefined;
  const parts = key.split('|').map((part) => part.trim());
  const form = parts.length < 3 ? API_KEY_FORM : KEYS_FORM;
  const empty = form.split('|').find((_name, index) => (parts[index] ?? '') === '');
  return { form: parts.length < 2 ? `${KEYS_FORM} / ${form}` : form, part: empty ?? 'REGION' };
}
