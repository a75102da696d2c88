import type { Language } from '../../common/language.js';
import { namedSentence } from '../../relay-core/model/named-refusal.js';
import { refusalText } from './refusal-texts.js';

interface Frame {
  /** English sentence as it is stored, with named groups. */
  readonly stored: RegExp;
  /** True when the rest is the gateway's own sentence; else it is the provider's and stays. */
  readonly isOwn: boolean;
  readonly texts: Readonly<Record<Language, string>>;
}

/** Sentences around the reason of a failure. */
const FRAMES: readonly Frame[] = [
  {
    stored: /^all keys are off; the last one: (?<rest>[^]+)$/,
    isOwn: true,
    texts: { en: 'All keys are off; the last one: {rest}', zh: '所有密钥都已停用；最后一个：{rest}' },
  },
  {
    stored: /^status (?<status>\d{3}): (?<rest>[^]+)$/,
    isOwn: true,
    texts: { en: 'The provider answered {status}: {rest}', zh: '服务商返回 {status}：{rest}' },
  },
  {
    // Rows of versions before 0.2 hold “upstream”.
    stored: /^The (?:provider|upstream) answered (?<status>\d{3}): (?<rest>[^]+)$/,
    isOwn: false,
    texts: { en: 'The provider answered {status}: {rest}', zh: '服务商返回 {status}：{rest}' },
  },
  {
    stored: /^The (?:provider|upstream) said: (?<rest>[^]+)$/,
    isOwn: false,
    texts: { en: 'The provider said: {rest}', zh: '服务商返回：{rest}' },
  },
  {
    // The API of the failed test, or the provider's code of the failure.
    stored: /^(?<status>[a-z_]+): (?<rest>[^]+)$/,
    isOwn: true,
    texts: { en: '{status}: {rest}', zh: '{status}: {rest}' },
  },
];

/**
 * Why a channel failed, as operators read it: sentences of the gateway in the reader's language, and “provider” for the “upstream” of
 * callers. A provider's own message stays as it is.
 */
export function operatorReasonIn(language: Language, stored: string): string {
  for (const { stored: sentence, isOwn, texts } of FRAMES) {
    const groups = sentence.exec(stored)?.groups;
    if (groups === undefined) continue;
    const { rest = '', status = '' } = groups;
    const shown = isOwn ? operatorReasonIn(language, rest) : rest;
    return texts[language].replace('{status}', () => status).replace('{rest}', () => shown);
  }
  const own = namedSentence(stored);
  if (own === undefined) return stored;
  return refusalText(own.code, own.values, language) ?? stored.replaceAll('upstream', 'provider');
}
