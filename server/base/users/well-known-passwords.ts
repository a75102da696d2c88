/**
 * Passwords shipped with installations of this API family, and those that attackers try first. Some are shorter than the minimum
 * because accounts may be imported with them.
 */
const WELL_KNOWN: ReadonlySet<string> = new Set([
  '123456',
  '1234567',
  '12345678',
  '123456789',
  '1234567890',
  '0123456789',
  '00000000',
  '11111111',
  '66666666',
  '88888888',
  '87654321',
  '12341234',
  '123123123',
  'password',
  'password1',
  'password123',
  'passw0rd',
  'p@ssw0rd',
  'admin123',
  'admin1234',
  'admin888',
  'administrator',
  'root1234',
  'rootroot',
  'root123456',
  'changeme',
  'changeit',
  'letmein1',
  'qwertyui',
  'qwerty123',
  'qwertyuiop',
  'abcd1234',
  'abc12345',
  'iloveyou',
  'sunshine',
  'tollgate',
]);

/** One to four digits or exclamation marks at the end: the usual answer to a rule that asks for another character. */
const SUFFIX = /[0-9!]{1,4}$/;

/** True for an entry of the list in any letter case, alone or followed by one to four digits or exclamation marks. */
export function isWellKnownPassword(password: string): boolean {
  const folded = password.toLowerCase();
  const suffix = SUFFIX.exec(folded)?.[0].length ?? 0;
  for (let length = 0; length <= suffix; length += 1)
    if (WELL_KNOWN.has(folded.slice(0, folded.length - length))) return true;
  return false;
}
