/** Languages of the console, in the order they are offered. */
export const LANGUAGES = [
  { code: 'zh', name: '中文' },
  { code: 'en', name: 'English' },
] as const;

export type LanguageCode = (typeof LANGUAGES)[number]['code'];

/** Names that browsers and outside services use. */
export const LANGUAGE_TAGS: Readonly<Record<LanguageCode, string>> = { en: 'en', zh: 'zh-CN' };

export const isLanguage = (text: string | undefined): text is LanguageCode =>
  LANGUAGES.some(({ code }) => code === text);
