import { parseMailAddress } from '../../common/mail-address.js';
import { foldUsername } from './user-rules.js';

/** Lookup key of a login: the folded mail address of a text that is one, else the folded name. */
export function loginNameOf(typed: string): string {
  const mail = typed.includes('@') ? parseMailAddress(typed) : null;
  return mail?.folded ?? foldUsername(typed);
}
