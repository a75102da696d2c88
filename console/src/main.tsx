import '@fontsource-variable/inter';
import '@fontsource-variable/jetbrains-mono';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app';
import { startI18n } from './i18n';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');

await startI18n();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
