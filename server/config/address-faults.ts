/** Signs that end a password early when they stand in it as they are. */
const PASSWORD_WITH_SLASH = /^[^/]*\/\/[^@]*:[^@]*[/?#][^@]*@/;

/** Fault of the user name or password in a server's address, as the end of a sentence; undefined = none. */
export function faultOfCredentials(url: string): string | undefined {
  if (PASSWORD_WITH_SLASH.test(url))
    return 'has a password with /, ? or # in it: write them as %2F, %3F and %23';
  if ((url.split(/[/?#]/, 3)[2] ?? '').split('@').length > 2)
    return 'has an @ in its password: write it as %40';
  return undefined;
}

/** Fails: RangeError with the end of a sentence, for a percent sign that begins nothing. */
export function decodeCredential(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new RangeError('has a % in its name or password: write it as %25');
  }
}
