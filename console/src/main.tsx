import '@fontsource-variable/inter';
import '@fontsource-variable/jetbrains-mono';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app';
import { makeQueryClient } from './app/query-client';
import { makeRouter } from './app/router';
import { startI18n } from './i18n';
import { adoptFirstAnswers } from './shared/session/adopt-first-answers';

/** Until then after the address was opened, text waits for the console's own fonts; later it is shown in the system's. */
const FONTS_AWAITED_MS = 1_000;

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');

const queryClient = makeQueryClient();
adoptFirstAnswers(queryClient);
const [router] = await Promise.all([makeRouter(), startI18n(), loadFonts()]);
createRoot(root).render(
  <StrictMode>
    <App queryClient={queryClient} router={router} />
  </StrictMode>,
);

/**
 * Fonts that arrive after the first text would move the page. On a slow line they would also delay the code: there the browser
 * fetches them when it draws (vite.config.ts declares them optional), for the next visit.
 */
async function loadFonts(): Promise<void> {
  const left = FONTS_AWAITED_MS - performance.now();
  if (left <= 0) return;
  const fonts = ['1em "Inter Variable"', '1em "JetBrains Mono Variable"'].map((font) =>
    document.fonts.load(font),
  );
  await Promise.race([Promise.allSettled(fonts), new Promise((resolve) => setTimeout(resolve, left))]);
}
