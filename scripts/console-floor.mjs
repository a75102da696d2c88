/**
 * Cost of the console's libraries before a line of ours: pages of nothing but them, built as the console is. For
 * docs/performance.md: `node scripts/console-floor.mjs` prints the KB (brotli) of each.
 */
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { build } from 'vite';

const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
const SHOW = `import { createRoot } from 'react-dom/client'; import { createElement as h } from 'react';
const show = (view) => createRoot(document.body).render(view);`;
const THEME = `import { ThemeProvider, createTheme } from '@mui/material/styles'; import CssBaseline from '@mui/material/CssBaseline';
const themed = (view) => h(ThemeProvider, { theme: createTheme({ cssVariables: true }) }, h(CssBaseline), view);`;
const BUTTON = `import Button from '@mui/material/Button';`;
const FIELD = `import TextField from '@mui/material/TextField';`;
const QUERY = `import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
const Read = () => useQuery({ queryKey: ['a'], queryFn: () => 1 }).data;
const asking = (view) => h(QueryClientProvider, { client: new QueryClient() }, h(Read), view);`;
const FORM = `import { useForm } from 'react-hook-form';
const Form = () => h('form', null, h(TextField, useForm().register('a')), h(Button));`;
const ROUTER = `import { createBrowserRouter } from 'react-router'; import { RouterProvider } from 'react-router/dom';
const routed = (view) => h(RouterProvider, { router: createBrowserRouter([{ path: '*', element: view }]) });`;
const WORDS = `import i18next from 'i18next'; import { initReactI18next } from 'react-i18next';
i18next.use(initReactI18next).init({ lng: 'en', resources: {} });`;

const PAGES = {
  'react, react-dom': [SHOW, `show(h('p'));`],
  '… and Material UI: theme and base line': [SHOW, THEME, `show(themed(h('p')));`],
  '… and a button': [SHOW, THEME, BUTTON, `show(themed(h(Button)));`],
  '… and a text field': [SHOW, THEME, BUTTON, FIELD, `show(themed(h('p', null, h(Button), h(TextField))));`],
  '… and react-hook-form': [SHOW, THEME, BUTTON, FIELD, FORM, `show(themed(h(Form)));`],
  '… and TanStack Query': [SHOW, THEME, BUTTON, FIELD, FORM, QUERY, `show(asking(themed(h(Form))));`],
  '… and i18next': [SHOW, THEME, BUTTON, FIELD, FORM, QUERY, WORDS, `show(asking(themed(h(Form))));`],
  '… and react-router': [
    SHOW,
    THEME,
    BUTTON,
    FIELD,
    FORM,
    QUERY,
    WORDS,
    ROUTER,
    `show(asking(themed(routed(h(Form)))));`,
  ],
};

async function sizeOf(code) {
  const page = '\0page';
  const { output } = await build({
    configFile: false,
    root: join(import.meta.dirname, '../console'),
    logLevel: 'error',
    build: { write: false, rolldownOptions: { input: 'page' }, modulePreload: { polyfill: false } },
    plugins: [
      {
        name: 'page',
        resolveId: (id) => (id === 'page' ? page : undefined),
        load: (id) => (id === page ? code : undefined),
      },
    ],
  });
  return output.reduce((sum, { code: text = '' }) => sum + brotliCompressSync(text, BROTLI).length, 0);
}

for (const [name, parts] of Object.entries(PAGES))
  process.stdout.write(`${name}: ${Math.round((await sizeOf(parts.join('\n'))) / 1000)}\n`);
