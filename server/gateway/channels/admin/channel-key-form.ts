import { DomainError } from '../../../common/errors/domain-error.js';
import { readBedrockCredential } from '../../../relay-core/providers/bedrock/credential.js';
import { readServiceAccount } from '../../../relay-core/providers/vertex/account.js';
import { CHANNEL_TYPE } from '../state/channel.codes.js';
import { formOfType } from '../state/channel-type-facts.js';

const BEDROCK_FORM = 'ACCESS_KEY|SECRET|REGION';
const BEDROCK_API_KEY_FORM = 'API_KEY|REGION';
const ACCOUNT_FORM = '{"project_id": …, "client_email": …, "private_key": …}';
const ACCOUNT_MEMBERS = ['project_id', 'client_email', 'private_key'];

const PART_FORMATS: ReadonlySet<string> = new Set(['two_parts', 'three_parts', 'token_or_three_parts']);

/**
 * Looks at the parts of a composite key when it is typed: at the first call it would be the caller who hears of it.
 * Fails: channel_key_part naming the part.
 */
export function checkKeyForm(key: string, type: number): void {
  if (type === CHANNEL_TYPE.bedrock) return checkBedrockKey(key);
  if (type === CHANNEL_TYPE.vertex) return checkAccount(key);
  const { keyFormat, keyExample } = formOfType(type);
  if (keyFormat === 'token_or_three_parts' && !key.includes('|')) return;
  if (!PART_FORMATS.has(keyFormat)) return;
  const names = keyExample.split('|');
  const parts = key.split('|').map((part) => part.trim());
  const missing = names.findIndex((_name, index) => (parts[index] ?? '') === '');
  const name = missing === -1 ? undefined : names[missing];
  if (name !== undefined) throw wrongPart(keyExample, name);
  if (parts.length > names.length)
    throw wrongPart(
      keyExample,
      parts
        .slice(names.length)
        .map(() => '…')
        .join('|'),
    );
}

function checkBedrockKey(key: string): void {
  if (readBedrockCredential(key).ok) return;
  const parts = key.split('|').map((part) => part.trim());
  const form = parts.length < 3 ? BEDROCK_API_KEY_FORM : BEDROCK_FORM;
  const names = form.split('|');
  const empty = names.find((_name, index) => (parts[index] ?? '') === '');
  throw wrongPart(parts.length < 2 ? `${BEDROCK_FORM} / ${form}` : form, empty ?? 'REGION');
}

/** API keys of Google have no parts. */
function checkAccount(key: string): void {
  if (!key.startsWith('{') || readServiceAccount(key).ok) return;
  const account: unknown = JSON.parse(key);
  const members =
    typeof account === 'object' && account !== null ? new Map(Object.entries(account)) : new Map();
  const missing = ACCOUNT_MEMBERS.find(
    (name) => typeof members.get(name) !== 'string' || members.get(name) === '',
  );
  throw wrongPart(ACCOUNT_FORM, missing ?? 'project_id');
}

const wrongPart = (form: string, part: string): DomainError =>
  new DomainError('channel_key_part', { form, part });
