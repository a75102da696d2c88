import type { Language } from '../../../common/language.js';
import type { AlertTexts } from '../../../base/notifications/notice.js';
import { findingText } from './finding-texts.js';
import type { Facts, Rule, Severity } from '../model/finding.js';

/** begun: the alert fires; over: it is resolved. */
export type AlertPhase = 'begun' | 'over';

/** An alert as it is sent to receivers: its beginning or its end. */
export interface AlertMessage {
  readonly phase: AlertPhase;
  readonly rule: Rule;
  readonly subject: string;
  readonly severity: Severity;
  readonly facts: Facts;
  readonly sinceMs: number;
  /** Null while it lasts. */
  readonly overAtMs: number | null;
}

const MARKS: Readonly<Record<Language, Readonly<Record<AlertPhase, string>>>> = {
  en: { begun: 'Alert: ', over: 'Recovered: ' },
  zh: { begun: '告警：', over: '已恢复：' },
};

/** The title of one message. */
export const messageTitle = (news: AlertMessage, language: Language): string =>
  `${MARKS[language][news.phase]}${findingText(news.rule, news.facts, language).title}`;

/** Description and advice of a firing alert, or the duration of a resolved one. */
export function messageText(news: AlertMessage, language: Language): string {
  const { sentence, remedy } = findingText(news.rule, news.facts, language);
  if (news.phase === 'begun' || news.overAtMs === null)
    return language === 'zh' ? `${sentence}${remedy}` : `${sentence} ${remedy}`;
  const minutes = Math.max(1, Math.round((news.overAtMs - news.sinceMs) / 60_000));
  return language === 'zh' ? `历时约 ${minutes} 分钟，现已恢复。` : `Resolved after about ${minutes} min.`;
}

/** Several messages in one mail, whose subject is the gravest. */
export function renderMessages(
  news: readonly AlertMessage[],
  systemName: string,
): Readonly<Record<Language, AlertTexts>> {
  return { en: renderIn(news, systemName, 'en'), zh: renderIn(news, systemName, 'zh') };
}

function renderIn(news: readonly AlertMessage[], systemName: string, language: Language): AlertTexts {
  const [first] = news;
  const rest = news.length - 1;
  const more = rest === 0 ? '' : language === 'zh' ? `（另有 ${rest} 项）` : ` (and ${rest} more)`;
  return {
    title: first === undefined ? systemName : `[${systemName}] ${messageTitle(first, language)}${more}`,
    items: news.map((each) => ({ title: messageTitle(each, language), text: messageText(each, language) })),
  };
}

/** A test mail, which proves that mail arrives. */
export function renderTest(systemName: string): Readonly<Record<Language, AlertTexts>> {
  return {
    en: {
      title: `[${systemName}] Alert test`,
      items: [{ title: 'This is a test', text: 'Nothing is wrong: alerts reach you here.' }],
    },
    zh: {
      title: `[${systemName}] 告警测试`,
      items: [{ title: '这是一条测试', text: '一切正常：告警会发送到这里。' }],
    },
  };
}
