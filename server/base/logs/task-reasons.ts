import type { Language } from '../../common/language.js';

/** Reasons of failed drawings and tasks that this gateway states itself. Rows hold the English sentence. */
export const TASK_REASONS = {
  overdue: {
    en: 'The upstream did not finish the task within one hour.',
    zh: '服务商未在一小时内完成任务。',
  },
  channelGone: {
    en: 'The channel that took the task on does not exist any more.',
    zh: '接受此任务的渠道已不存在。',
  },
  unnamed: {
    en: 'The upstream gave the task no name, so that nobody can ask about it.',
    zh: '服务商未返回任务 ID，无法查询任务进度。',
  },
  noReasonGiven: {
    en: 'The upstream did not say why.',
    zh: '服务商未说明原因。',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<Language, string>>>>;

const ROWS = new Map<string, Readonly<Record<Language, string>>>(
  Object.values(TASK_REASONS).map((row) => [row.en, row]),
);

/** A stored reason in the reader's language. A vendor's own words stay as they are. */
export const taskReasonIn = (language: Language, stored: string): string =>
  ROWS.get(stored)?.[language] ?? stored;
