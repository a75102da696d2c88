import i18next, { type Resource } from 'i18next';
import { initReactI18next } from 'react-i18next';

export const LANGUAGES = [
  { code: 'zh', name: '中文' },
  { code: 'en', name: 'English' },
] as const;

export type LanguageCode = (typeof LANGUAGES)[number]['code'];

/** The key i18next's language detector uses, so that a choice made in an older console is kept. */
const STORAGE_KEY = 'i18nextLng';

/** Each language is two files: what a guest reads, and the rest. Only what is read is loaded. */
async function loadStart(language: LanguageCode): Promise<Resource[string][string]> {
  return language === 'zh' ? (await import('./zh/start')).start : (await import('./en/start')).start;
}

async function loadRest(language: LanguageCode): Promise<Resource[string][string]> {
  return language === 'zh'
    ? (await import('./zh/console')).consoleTexts
    : (await import('./en/console')).consoleTexts;
}

/** Whether pages were opened that need more than the texts of the start. */
let needsRest = false;
const loaded = new Set<string>();
const started = Promise.withResolvers<void>();

async function addRest(language: LanguageCode): Promise<void> {
  if (loaded.has(language)) return;
  i18next.addResourceBundle(language, 'translation', await loadRest(language), true);
  loaded.add(language);
}

/** Before a page behind the sign-in is shown. The router asks for it as soon as it is made, before the texts of the start are there. */
export async function loadConsoleTexts(): Promise<void> {
  needsRest = true;
  await started.promise;
  await addRest(i18next.language === 'zh' ? 'zh' : 'en');
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
  if (needsRest) await addRest(language);
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
