import { domainToASCII } from 'node:url';

/** A mail address that may be stored and written to. */
export interface MailAddress {
  /** Delivery form: the local part as typed, the domain in ASCII and lower case. */
  readonly address: string;
  /** Key for uniqueness and look-ups: the whole address in lower case. */
  readonly folded: string;
  readonly local: string;
  /** ASCII (IDNA), lower case. */
  readonly domain: string;
}

/** Longest address accepted (old clients allow 50; real ones are longer). */
const MAIL_ADDRESS_MAX = 100;
const LOCAL_MAX = 64;

/** Dots stand alone and inside; quotes, comments, routes and lists are refused. */
const LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const DOMAIN = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;
/** Allowed characters of a typed domain: `domainToASCII` drops or converts others. */
const TYPED_DOMAIN = /^[\p{L}\p{M}\p{N}.-]+$/u;

/**
 * Reads one plain address: ASCII local part, IDNA domain. Anything that a mail program could understand as more than one
 * receiver or as another address is no address.
 * @returns null when it is not one
 */
export function parseMailAddress(text: string): MailAddress | null {
  const typed = text.trim();
  if (typed.length > MAIL_ADDRESS_MAX) return null;
  const at = typed.indexOf('@');
  const local = typed.slice(0, at);
  const typedDomain = typed.slice(at + 1);
  if (at < 1 || local.length > LOCAL_MAX || !LOCAL.test(local) || !TYPED_DOMAIN.test(typedDomain))
    return null;
  const domain = domainToASCII(typedDomain.normalize('NFC')).toLowerCase();
  if (!DOMAIN.test(domain)) return null;
  const address = `${local}@${domain}`;
  if (address.length > MAIL_ADDRESS_MAX) return null;
  return { address, folded: address.toLowerCase(), local, domain };
}

/** Which addresses an installation takes. */
export interface MailRules {
  readonly EmailDomainRestrictionEnabled: boolean;
  /** Domains in ASCII and lower case. */
  readonly EmailDomainWhitelist: readonly string[];
  readonly EmailAliasRestrictionEnabled: boolean;
}

/** Why the rules of the installation refuse an address; null when they do not. Domains are compared whole. */
export function refusalByMailRules(address: MailAddress, rules: MailRules): 'domain' | 'alias' | null {
  if (rules.EmailDomainRestrictionEnabled && !rules.EmailDomainWhitelist.includes(address.domain))
    return 'domain';
  if (rules.EmailAliasRestrictionEnabled && /[+.]/.test(address.local)) return 'alias';
  return null;
}
