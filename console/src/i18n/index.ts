import i18next, { type Resource } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { GUEST_TEXTS } from './guest-texts';
import { isLanguage, LANGUAGE_TAGS, LANGUAGES, type LanguageCode } from './languages';
import type { PageTexts } from './page-texts';

export { LANGUAGES, type LanguageCode };

/** Language of readers whose own language the console does not have. */
const FALLBACK: LanguageCode = 'en';

/** The key i18next's language detector uses, so that a choice made in an older console is kept. */
const STORAGE_KEY = 'i18nextLng';

/** Texts of every page; the rest is loaded with its page. */
const START_TEXTS: Readonly<Record<LanguageCode, () => Promise<Resource[string][string]>>> = {
  en: async () => (await import('./en/start')).start,
  zh: async () => (await import('./zh/start')).start,
};

type Loaders = Readonly<
  Partial<Record<PageTexts, Readonly<Record<LanguageCode, () => Promise<{ default: object }>>>>>
>;

/** Loaders of the texts of pages. Routes behind the sign-in page add theirs when they are loaded. */
let offered: Loaders = GUEST_TEXTS;

export function offerTexts(loaders: Loaders): void {
  offered = { ...offered, ...loaders };
}

/** Texts of the pages that were opened. */
const needed = new Set<PageTexts>();
const loaded = new Set<string>();
const started = Promise.withResolvers<void>();

async function addTexts(language: LanguageCode, part: PageTexts): Promise<void> {
  const name = `${language} ${part}`;
  if (loaded.has(name)) return;
  const load = offered[part]?.[language];
  if (load === undefined) throw new Error(`no texts are offered for ${part}`);
  const { default: texts } = await load();
  i18next.addResourceBundle(language, 'translation', { [part]: texts }, true);
  loaded.add(name);
}

/** Before a page is shown. The router asks for it as soon as it is made, before the texts of the start are there. */
export async function loadTexts(...parts: readonly PageTexts[]): Promise<void> {
  parts.forEach((part) => needed.add(part));
  await started.promise;
  const language = currentLanguage();
  await Promise.all(parts.map((part) => addTexts(language, part)));
}

function preferredLanguage(): LanguageCode {
  const wanted = (readStored() ?? navigator.language).toLowerCase();
  return LANGUAGES.find(({ code }) => wanted.startsWith(code))?.code ?? FALLBACK;
}

/** The one the console is shown in. */
export function currentLanguage(): LanguageCode {
  return isLanguage(i18next.language) ? i18next.language : FALLBACK;
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
    resources: { [language]: { translation: await START_TEXTS[language]() } },
    interpolation: { escapeValue: false },
    returnNull: false,
  });
  started.resolve();
  speak(language);
}

/** Loads the start texts of every language, so that names of pages are found in each. Resolves with true. */
export async function loadStartTexts(): Promise<true> {
  await Promise.all(LANGUAGES.map(({ code }) => addStartTexts(code)));
  return true;
}

async function addStartTexts(language: LanguageCode): Promise<void> {
  if (!i18next.hasResourceBundle(language, 'translation'))
    i18next.addResourceBundle(language, 'translation', await START_TEXTS[language]());
}

/** Changes the language of the console and remembers it. */
export async function changeLanguage(language: LanguageCode): Promise<void> {
  await addStartTexts(language);
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
  document.documentElement.lang = LANGUAGE_TAGS[language];
}
