import { GUEST_TEXTS } from './guest-texts';
import type { LanguageCode } from './languages';

/** Texts that single pages need beside those of the start: a file for each, in each language. */
export const PAGE_TEXTS = {
  ...GUEST_TEXTS,
  audit: {
    en: () => import('./en/audit.json', { with: { type: 'json' } }),
    zh: () => import('./zh/audit.json', { with: { type: 'json' } }),
  },
  bin: {
    en: () => import('./en/bin.json', { with: { type: 'json' } }),
    zh: () => import('./zh/bin.json', { with: { type: 'json' } }),
  },
  channels: {
    en: () => import('./en/channels.json', { with: { type: 'json' } }),
    zh: () => import('./zh/channels.json', { with: { type: 'json' } }),
  },
  chat: {
    en: () => import('./en/chat.json', { with: { type: 'json' } }),
    zh: () => import('./zh/chat.json', { with: { type: 'json' } }),
  },
  dashboard: {
    en: () => import('./en/dashboard.json', { with: { type: 'json' } }),
    zh: () => import('./zh/dashboard.json', { with: { type: 'json' } }),
  },
  drawings: {
    en: () => import('./en/drawings.json', { with: { type: 'json' } }),
    zh: () => import('./zh/drawings.json', { with: { type: 'json' } }),
  },
  firstAnswer: {
    en: () => import('./en/first-answer.json', { with: { type: 'json' } }),
    zh: () => import('./zh/first-answer.json', { with: { type: 'json' } }),
  },
  imports: {
    en: () => import('./en/imports.json', { with: { type: 'json' } }),
    zh: () => import('./zh/imports.json', { with: { type: 'json' } }),
  },
  jobs: {
    en: () => import('./en/jobs.json', { with: { type: 'json' } }),
    zh: () => import('./zh/jobs.json', { with: { type: 'json' } }),
  },
  limits: {
    en: () => import('./en/limits.json', { with: { type: 'json' } }),
    zh: () => import('./zh/limits.json', { with: { type: 'json' } }),
  },
  logs: {
    en: () => import('./en/logs.json', { with: { type: 'json' } }),
    zh: () => import('./zh/logs.json', { with: { type: 'json' } }),
  },
  manyChannels: {
    en: () => import('./en/many-channels.json', { with: { type: 'json' } }),
    zh: () => import('./zh/many-channels.json', { with: { type: 'json' } }),
  },
  orders: {
    en: () => import('./en/orders.json', { with: { type: 'json' } }),
    zh: () => import('./zh/orders.json', { with: { type: 'json' } }),
  },
  panels: {
    en: () => import('./en/panels.json', { with: { type: 'json' } }),
    zh: () => import('./zh/panels.json', { with: { type: 'json' } }),
  },
  personal: {
    en: () => import('./en/personal.json', { with: { type: 'json' } }),
    zh: () => import('./zh/personal.json', { with: { type: 'json' } }),
  },
  playground: {
    en: () => import('./en/playground.json', { with: { type: 'json' } }),
    zh: () => import('./zh/playground.json', { with: { type: 'json' } }),
  },
  prices: {
    en: () => import('./en/prices.json', { with: { type: 'json' } }),
    zh: () => import('./zh/prices.json', { with: { type: 'json' } }),
  },
  records: {
    en: () => import('./en/records.json', { with: { type: 'json' } }),
    zh: () => import('./zh/records.json', { with: { type: 'json' } }),
  },
  redemptions: {
    en: () => import('./en/redemptions.json', { with: { type: 'json' } }),
    zh: () => import('./zh/redemptions.json', { with: { type: 'json' } }),
  },
  settings: {
    en: () => import('./en/settings.json', { with: { type: 'json' } }),
    zh: () => import('./zh/settings.json', { with: { type: 'json' } }),
  },
  status: {
    en: () => import('./en/status.json', { with: { type: 'json' } }),
    zh: () => import('./zh/status.json', { with: { type: 'json' } }),
  },
  tasks: {
    en: () => import('./en/tasks.json', { with: { type: 'json' } }),
    zh: () => import('./zh/tasks.json', { with: { type: 'json' } }),
  },
  tokens: {
    en: () => import('./en/tokens.json', { with: { type: 'json' } }),
    zh: () => import('./zh/tokens.json', { with: { type: 'json' } }),
  },
  users: {
    en: () => import('./en/users.json', { with: { type: 'json' } }),
    zh: () => import('./zh/users.json', { with: { type: 'json' } }),
  },
  wallet: {
    en: () => import('./en/wallet.json', { with: { type: 'json' } }),
    zh: () => import('./zh/wallet.json', { with: { type: 'json' } }),
  },
} as const satisfies Readonly<Record<string, Readonly<Record<LanguageCode, () => Promise<unknown>>>>>;

export type PageTexts = keyof typeof PAGE_TEXTS;
