import { parseMailAddress } from '../../common/mail-address.js';
import { foldUsername } from './user-rules.js';

/** What accounts are looked up by when somebody signs in: the folded mail address of a text that is one, else the folded name. */
export function loginNameOf(typed: string): string {
  const mail = typed.includes('@') ? parseMailAddress(typed) : null;
  return mail?.folded ?? foldUsername(typed);
}
