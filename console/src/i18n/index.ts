import i18next, { type Resource } from 'i18next';
import { initReactI18next } from 'react-i18next';

export const LANGUAGES = [
  { code: 'zh', name: '中文' },
  { code: 'en', name: 'English' },
] as const;

export type LanguageCode = (typeof LANGUAGES)[number]['code'];

/** The key i18next's language detector uses, so that a choice made in an older console is kept. */
const STORAGE_KEY = 'i18nextLng';

/** Each language is three files: what a guest reads, the settings, and the rest. Only what is read is loaded. */
async function loadStart(language: LanguageCode): Promise<Resource[string][string]> {
  return language === 'zh' ? (await import('./zh/start')).start : (await import('./en/start')).start;
}

const LATER = {
  console: {
    zh: async () => (await import('./zh/console')).consoleTexts,
    en: async () => (await import('./en/console')).consoleTexts,
  },
  settings: {
    zh: async () => (await import('./zh/settings')).settingsTexts,
    en: async () => (await import('./en/settings')).settingsTexts,
  },
} as const satisfies Readonly<Record<string, Record<LanguageCode, () => Promise<Resource[string][string]>>>>;

/** Texts that pages need beside those of the start. */
export type LaterTexts = keyof typeof LATER;

/** What the pages that were opened need. */
const needed = new Set<LaterTexts>();
const loaded = new Set<string>();
const started = Promise.withResolvers<void>();

async function addTexts(language: LanguageCode, part: LaterTexts): Promise<void> {
  const name = `${language} ${part}`;
  if (loaded.has(name)) return;
  i18next.addResourceBundle(language, 'translation', await LATER[part][language](), true);
  loaded.add(name);
}

/** Before a page behind the sign-in is shown. The router asks for it as soon as it is made, before the texts of the start are there. */
export async function loadTexts(...parts: readonly LaterTexts[]): Promise<void> {
  parts.forEach((part) => needed.add(part));
  await started.promise;
  const language = i18next.language === 'zh' ? 'zh' : 'en';
  await Promise.all(parts.map((part) => addTexts(language, part)));
}

export function preferredLanguage(): LanguageCode {
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
