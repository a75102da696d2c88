import { DomainError } from '../../common/errors/domain-error.js';
import { cleanLine, lengthOf } from '../../common/text.js';

const MAX_NAME = 64;

/** The name as it is stored. Fails: DomainError `passkey_name_invalid`. */
export function passkeyNameOf(typed: string): string {
  const name = cleanLine(typed);
  if (name === '' || lengthOf(name) > MAX_NAME)
    throw new DomainError('passkey_name_invalid', { max: MAX_NAME });
  return name;
}
