import type { i18n as I18n } from 'i18next';
import type { en } from '../../i18n/en';

type Names = (typeof en)['audit']['action'];

/** `thing.verb` of every act the texts have a name for; a test holds them to the server's list. */
export type AuditAction = { [Thing in keyof Names]: `${Thing}.${keyof Names[Thing] & string}` }[keyof Names];

/** Rows of another version may hold acts this one has no name for. */
export function isAuditAction(text: string, texts: I18n): text is AuditAction {
  return texts.exists(`audit.action.${text}`, { returnObjects: false });
}
