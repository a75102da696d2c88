import { cleanLine, lengthOf } from '../../common/text.js';
import { isConfusableWithOfficial } from '../../base/users/confusable-names.js';
import { DISPLAY_NAME_MAX, foldUsername, GIVEN_NAME_MAX, isUsername } from '../../base/users/user-rules.js';
import type { IdentityProvider } from '../../base/access/identity-providers.js';

/** Profile at a provider, as far as that provider is believed. */
export interface ExternalProfile {
  readonly provider: IdentityProvider;
  /** The provider's own, unchanging id; accounts are found by it and its issuer. */
  readonly subject: string;
  /** A name a new account may take over when it is free. */
  readonly username?: string | undefined;
  readonly displayName?: string | undefined;
  /** Only an address that the provider reports as verified. */
  readonly verifiedMail?: string | undefined;
}

/** A profile with the issuer that vouches for its subject, as `identityIssuerOf` names it. */
export interface VouchedProfile extends ExternalProfile {
  readonly issuer: string;
}

/** Longest subject of a provider; the column has this many characters. */
export const SUBJECT_MAX = 191;

/** An identity of blanks alone is invalid: all users without an id at the provider would share it. */
export const isEmptySubject = (subject: string): boolean =>
  !/[^\s\p{C}\p{Z}\u115f\u1160\u2800\u3164\uffa0]/u.test(subject);

/** Characters that are not seen or turn the reading direction: nothing of a name, and good for deceiving. */
const UNSEEN = /[\p{Cf}\p{Co}\p{Cn}\p{Cs}]/gu;

/** Text from outside as one short line. */
export function cleanExternalName(text: string | undefined, maxCharacters: number): string {
  const clean = cleanLine((text ?? '').slice(0, 1_000).replace(UNSEEN, ' ')).replace(/\s+/g, ' ');
  return Array.from(clean).slice(0, maxCharacters).join('').trim();
}

/** The name a provider suggests, when an account may have it as it is; names that look official are not given to external accounts. */
export function suggestedUsername(profile: ExternalProfile): string | null {
  const name = profile.username ?? '';
  return isUsername(name, GIVEN_NAME_MAX) && !isConfusableWithOfficial(name) ? name : null;
}

/** A name that is very likely free: the provider's and a random ending. @param ending  lower-case letters and digits */
export const generatedUsername = (provider: IdentityProvider, ending: string): string =>
  foldUsername(`${provider}_${ending}`);

/** Display name: the provider's name for the person, else the username. */
export function displayNameOf(profile: ExternalProfile, username: string): string {
  const name = cleanExternalName(profile.displayName, DISPLAY_NAME_MAX);
  return lengthOf(name) > 0 && !isConfusableWithOfficial(name) ? name : username.slice(0, DISPLAY_NAME_MAX);
}
