import '@fontsource-variable/inter';
import '@fontsource-variable/jetbrains-mono';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app';
import { startI18n } from './i18n';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');

// Text in the system's font is of another width: its lines would break anew, and the page move, when the console's own font came.
const fonts = ['1em "Inter Variable"', '1em "JetBrains Mono Variable"'].map((font) =>
  document.fonts.load(font),
);
await Promise.all([startI18n(), Promise.allSettled(fonts)]);
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
