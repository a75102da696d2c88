import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { chunkGroups } from './chunk-groups.ts';
import { katexFonts } from './katex-fonts.ts';

/** Where `npm run dev` finds the server; the build does not read it. */
const devServer = 'http://127.0.0.1:3000';

/** Text is drawn at once, in the system's font when the own one is late, and never moves by a later change of fonts. */
const optionalFonts: Plugin = {
  name: 'optional-fonts',
  enforce: 'pre',
  transform: (code, id) =>
    /@fontsource-variable.*\.css$/.test(id)
      ? code.replaceAll('font-display: swap', 'font-display: optional')
      : null,
};

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), optionalFonts, katexFonts()],
  // Files find each other wherever the gateway is published; the server writes that path into the page.
  base: './',
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    sourcemap: false,
    // Nothing is inlined as a data: address, so that the content security policy can stay at 'self'.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    // Which page loads which file, for the budget of scripts/console-assets.mjs.
    manifest: true,
    rolldownOptions: { output: { codeSplitting: { groups: chunkGroups() } } },
  },
  server: {
    proxy: Object.fromEntries(['/api', '/v1', '/healthz', '/readyz'].map((path) => [path, devServer])),
  },
});
