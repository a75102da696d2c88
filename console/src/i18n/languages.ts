/** What the console speaks, in the order it is offered. */
export const LANGUAGES = [
  { code: 'zh', name: '中文' },
  { code: 'en', name: 'English' },
] as const;

export type LanguageCode = (typeof LANGUAGES)[number]['code'];

/** As browsers and services outside name them. */
export const LANGUAGE_TAGS: Readonly<Record<LanguageCode, string>> = { en: 'en', zh: 'zh-CN' };

export const isLanguage = (text: string | undefined): text is LanguageCode =>
  LANGUAGES.some(({ code }) => code === text);
