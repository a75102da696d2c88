import type { LanguageCode } from './languages';

/** Texts of the pages that guests see, beside those of the start: a file for each, in each language. */
export const GUEST_TEXTS = {
  about: {
    en: () => import('./en/about.json', { with: { type: 'json' } }),
    zh: () => import('./zh/about.json', { with: { type: 'json' } }),
  },
  docs: {
    en: () => import('./en/docs.json', { with: { type: 'json' } }),
    zh: () => import('./zh/docs.json', { with: { type: 'json' } }),
  },
  home: {
    en: () => import('./en/home.json', { with: { type: 'json' } }),
    zh: () => import('./zh/home.json', { with: { type: 'json' } }),
  },
  money: {
    en: () => import('./en/money.json', { with: { type: 'json' } }),
    zh: () => import('./zh/money.json', { with: { type: 'json' } }),
  },
  oauthCallback: {
    en: () => import('./en/oauth-callback.json', { with: { type: 'json' } }),
    zh: () => import('./zh/oauth-callback.json', { with: { type: 'json' } }),
  },
  palette: {
    en: () => import('./en/palette.json', { with: { type: 'json' } }),
    zh: () => import('./zh/palette.json', { with: { type: 'json' } }),
  },
  pricing: {
    en: () => import('./en/pricing.json', { with: { type: 'json' } }),
    zh: () => import('./zh/pricing.json', { with: { type: 'json' } }),
  },
  reset: {
    en: () => import('./en/reset.json', { with: { type: 'json' } }),
    zh: () => import('./zh/reset.json', { with: { type: 'json' } }),
  },
  setup: {
    en: () => import('./en/setup.json', { with: { type: 'json' } }),
    zh: () => import('./zh/setup.json', { with: { type: 'json' } }),
  },
} as const satisfies Readonly<Record<string, Readonly<Record<LanguageCode, () => Promise<unknown>>>>>;
