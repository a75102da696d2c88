import i18next, { type Resource } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { PAGE_TEXTS, type PageTexts } from './page-texts';

export const LANGUAGES = [
  { code: 'zh', name: '中文' },
  { code: 'en', name: 'English' },
] as const;

export type LanguageCode = (typeof LANGUAGES)[number]['code'];

/** The key i18next's language detector uses, so that a choice made in an older console is kept. */
const STORAGE_KEY = 'i18nextLng';

/** What every page shows; the rest comes with its page. */
async function loadStart(language: LanguageCode): Promise<Resource[string][string]> {
  return language === 'zh' ? (await import('./zh/start')).start : (await import('./en/start')).start;
}

/** What the pages that were opened need. */
const needed = new Set<PageTexts>();
const loaded = new Set<string>();
const started = Promise.withResolvers<void>();

async function addTexts(language: LanguageCode, part: PageTexts): Promise<void> {
  const name = `${language} ${part}`;
  if (loaded.has(name)) return;
  const { default: texts } = await PAGE_TEXTS[part][language]();
  i18next.addResourceBundle(language, 'translation', { [part]: texts }, true);
  loaded.add(name);
}

/** Before a page is shown. The router asks for it as soon as it is made, before the texts of the start are there. */
export async function loadTexts(...parts: readonly PageTexts[]): Promise<void> {
  parts.forEach((part) => needed.add(part));
  await started.promise;
  const language = i18next.language === 'zh' ? 'zh' : 'en';
  await Promise.all(parts.map((part) => addTexts(language, part)));
}

function preferredLanguage(): LanguageCode {
  const wanted = readStored() ?? navigator.language;
  return wanted.toLowerCase().startsWith('zh') ? 'zh' : 'en';
}

function readStored(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    // Storage may be forbidden: the browser's language decides.
    return null;
  }
}

/** Prepares texts before the first render, so that no key is ever shown in place of a sentence. */
export async function startI18n(language: LanguageCode = preferredLanguage()): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: false,
    resources: { [language]: { translation: await loadStart(language) } },
    interpolation: { escapeValue: false },
    returnNull: false,
  });
  started.resolve();
  speak(language);
}

/** Changes the language of the console and remembers it. */
export async function changeLanguage(language: LanguageCode): Promise<void> {
  if (!i18next.hasResourceBundle(language, 'translation')) {
    i18next.addResourceBundle(language, 'translation', await loadStart(language));
  }
  await Promise.all(Array.from(needed, (part) => addTexts(language, part)));
  await i18next.changeLanguage(language);
  try {
    localStorage.setItem(STORAGE_KEY, language);
  } catch {
    // The choice then lasts as long as the page.
  }
  speak(language);
}

function speak(language: LanguageCode) {
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en';
}
