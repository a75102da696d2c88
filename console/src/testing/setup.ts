import '@testing-library/jest-dom/jest-globals';
import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, jest } from '@jest/globals';
import { loadTexts, offerTexts, startI18n } from '../i18n';
import { PAGE_TEXTS, type PageTexts } from '../i18n/page-texts';

// Each file loads the pages it shows as modules of its own, which takes its time on a busy machine.
configure({
  asyncUtilTimeout: 30_000,
  // Printing the whole page at each failed look takes a fifth of these tests' time, so it is off unless asked for.
  ...(process.env['SHOW_PAGE'] === undefined ? { getElementError: withoutPage } : {}),
});
jest.setTimeout(120_000);

function withoutPage(message: string | null): Error {
  const error = new Error(`${message ?? 'not found'}\n(SHOW_PAGE=1 prints the page)`);
  error.name = 'TestingLibraryElementError';
  return error;
}

/** Widths by media query; 1440 px unless a test says otherwise. */
let widthPx = 1_440;

export function setViewport(px: number): void {
  widthPx = px;
}

function matches(query: string): boolean {
  const max = /max-width:\s*(\d+)/.exec(query)?.[1];
  const min = /min-width:\s*(\d+)/.exec(query)?.[1];
  if (max === undefined && min === undefined) return false;
  return (max === undefined || widthPx <= Number(max)) && (min === undefined || widthPx >= Number(min));
}

beforeAll(async () => {
  // jsdom lays nothing out: these are the parts of a browser the console asks about.
  window.matchMedia = (query) =>
    ({
      matches: matches(query),
      media: query,
      onchange: null,
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
      addListener: () => undefined,
      removeListener: () => undefined,
      dispatchEvent: () => true,
    }) satisfies MediaQueryList;
  // Browsers return a promise by now: an effect that returns it breaks its page when it is left.
  Element.prototype.scrollIntoView = () => Promise.resolve() as unknown as undefined;
  Range.prototype.getClientRects = () => [] as unknown as DOMRectList;
  // In the order of the browser: the router asks for its page, and for the texts of it, before the start is done.
  offerTexts(PAGE_TEXTS);
  const texts = loadTexts(...(Object.keys(PAGE_TEXTS) as PageTexts[]));
  await startI18n('en');
  await texts;
});

// user-event puts one there that remembers.
beforeEach(() => void Reflect.deleteProperty(navigator, 'clipboard'));

afterEach(() => {
  cleanup();
  widthPx = 1_440;
  localStorage.clear();
  sessionStorage.clear();
});
