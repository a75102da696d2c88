import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { BUDGET, compressAssets, overBudget, pageLoads } from '../../scripts/console-assets.mjs';

const LOGIN = 'src/features/sign-in/login-page.tsx';
const TOKENS = 'src/features/tokens/tokens-page.tsx';
const TEXTS = new Map([
  [LOGIN, []],
  [TOKENS, ['src/i18n/en/tokens.json']],
]);

/** Names and what they import; each file holds so many bytes no compression makes smaller. */
const CHUNKS: Record<string, { bytes: number; imports?: string[]; isEntry?: true; isDynamicEntry?: true }> = {
  'index.html': { bytes: 100, imports: ['_start.js'], isEntry: true },
  '_start.js': { bytes: 5_000 },
  '_table.js': { bytes: 7_000, imports: ['_start.js'] },
  'src/i18n/en/start.ts': { bytes: 200, isDynamicEntry: true },
  'src/i18n/en/tokens.json': { bytes: 900, isDynamicEntry: true },
  [LOGIN]: { bytes: 300, imports: ['_start.js'], isDynamicEntry: true },
  [TOKENS]: { bytes: 400, imports: ['_table.js', '_start.js'], isDynamicEntry: true },
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-budget-'));
  mkdirSync(join(folder, 'assets'));
  mkdirSync(join(folder, '.vite'));
  const manifest: Record<string, object> = {};
  let seed = 1;
  for (const [key, { bytes, ...chunk }] of Object.entries(CHUNKS)) {
    const file = `assets/${key.replace(/\W/g, '-')}.js`;
    const content = Buffer.alloc(bytes);
    for (let at = 0; at < bytes; at += 1) {
      seed = (seed * 48_271) % 2_147_483_647;
      content[at] = seed & 255;
    }
    writeFileSync(join(folder, file), content);
    manifest[key] = { ...chunk, file };
  }
  writeFileSync(join(folder, '.vite/manifest.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'first-paint.js'), '');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('what a page of the console loads', () => {
  it('counts its own file, all that imports, the entry and its texts, each once', () => {
    const of = (page: string) => pageLoads(folder, TEXTS).find((load) => load.page === page);
    expect(of(LOGIN)?.requests).toBe(5);
    expect(of(TOKENS)?.requests).toBe(7);
    expect((of(TOKENS)?.bytes ?? 0) - (of(LOGIN)?.bytes ?? 0)).toBeGreaterThan(7_900);
  });

  it('fails the build when it is more than the budget allows, in bytes or in requests', () => {
    const loads = pageLoads(folder, TEXTS);
    const most = { bytes: 7_000, requests: 5 };
    expect(overBudget(loads, { signIn: most, guest: most, page: most })).toEqual([
      expect.stringMatching(
        /^src\/features\/tokens\/tokens-page\.tsx loads \d+ bytes \(brotli\), 7000 at most$/,
      ),
      expect.stringContaining(`${TOKENS} makes 7 requests for code, 5 at most: `),
    ]);
    expect(
      overBudget(loads, { signIn: { bytes: 10, requests: 9 }, guest: BUDGET.guest, page: BUDGET.page }),
    ).toEqual([expect.stringContaining(LOGIN)]);
    expect(overBudget(loads)).toEqual([]);
  });

  it('stays within the budget in the console that was built', () => {
    const built = join(import.meta.dirname, '../../dist/console');
    expect(overBudget(pageLoads(built))).toEqual([]);
  });
});

describe('the compressed forms', () => {
  it('equals the file beside them, and holds only text that is long enough', async () => {
    const script = 'export const answer = 42;\n'.repeat(200);
    writeFileSync(join(folder, 'assets/long.js'), script);
    writeFileSync(join(folder, 'assets/short.js'), 'export {};\n');
    writeFileSync(join(folder, 'assets/font.woff2'), Buffer.alloc(5_000));
    await compressAssets(folder);
    expect(brotliDecompressSync(readFileSync(join(folder, 'assets/long.js.br'))).toString()).toBe(script);
    expect(gunzipSync(readFileSync(join(folder, 'assets/long.js.gz'))).toString()).toBe(script);
    for (const name of ['assets/short.js.br', 'assets/font.woff2.br', '.vite/manifest.json.br'])
      expect(existsSync(join(folder, name))).toBe(false);
  });
});
