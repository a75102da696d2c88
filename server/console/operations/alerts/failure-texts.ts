import type { Language } from '../../../common/language.js';
import type { Facts } from '../model/finding.js';

/** Why attempts at a channel fail, in a few words. */
const REASONS: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  'upstream-key-refused': { en: 'the provider refuses the key', zh: '服务商拒绝该密钥' },
  'upstream-quota-spent': { en: 'the account at the provider is used up', zh: '服务商账户余额已用尽' },
  'upstream-rate-limited': { en: 'the provider limits the rate', zh: '服务商限流' },
  'upstream-overloaded': { en: 'the provider fails or is overloaded', zh: '服务商出错或过载' },
  'upstream-timeout': { en: 'the provider does not answer in time', zh: '服务商未及时响应' },
  'upstream-unreachable': { en: 'the provider cannot be reached', zh: '无法连接服务商' },
  'upstream-request-rejected': {
    en: 'the provider does not find the model or the address',
    zh: '服务商找不到该模型或地址',
  },
  'upstream-malformed': { en: 'the provider’s answer cannot be read', zh: '服务商的响应无法解析' },
  'upstream-broken': { en: 'the provider breaks answers off', zh: '服务商中断响应' },
};

/**
 * The newest failure of a channel as one clause: reason, status, and the provider's own sentence.
 * @returns empty = no failure is known
 */
export function failureText({ reason = '', status = 0, message = '' }: Facts, language: Language): string {
  if (reason === '') return '';
  const words = REASONS[String(reason)]?.[language] ?? String(reason);
  if (language === 'zh') {
    const withStatus = status === 0 ? words : `${words}（${status}）`;
    return message === '' ? withStatus : `${withStatus}：${message}`;
  }
  const withStatus = status === 0 ? words : `${words} (${status})`;
  return message === '' ? withStatus : `${withStatus}: ${message}`;
}
