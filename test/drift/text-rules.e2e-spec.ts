import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exchangeableParameters, KNOWN_EXCHANGEABLE } from '../../scripts/exchangeable-parameters.mjs';
import { TEXT_RULES, textFaults } from '../../scripts/text-rules.mjs';

const root = join(import.meta.dirname, '../..');
const UNFINISHED = ['TO', 'DO'].join('');

const PLANTED: readonly (readonly [rule: string, path: string, text: string])[] = [
  ['environment-has-one-reader', 'server/base/x/x.service.ts', 'const port = process.env.PORT;'],
  ['outbound-calls-pass-one-client', 'server/base/x/x.service.ts', 'await fetch(url);'],
  ['outbound-calls-pass-one-client', 'server/base/x/x.service.ts', "import { request } from 'node:https';"],
  ['money-has-one-writer', 'server/console/users/users.service.ts', ".set({ quota: () => 'quota + 1' })"],
  [
    'money-has-one-writer',
    'server/console/users/users.service.ts',
    "repository.increment({ id }, 'usedQuota', 5)",
  ],
  ['money-has-one-writer', 'server/console/users/users.service.ts', 'UPDATE users SET status = 1, quota = 0'],
  ['nothing-unfinished', 'console/src/x.tsx', `// ${UNFINISHED} later`],
  ['errors-expected-by-name', 'console/src/x.spec.ts', `// @ts-${'expect-error'} a reason`],
  ['no-schema-by-guessing', 'server/infra/database/x.ts', 'synchronize: true,'],
  ['no-code-from-text', 'server/base/x/x.ts', "new Function('return 1')"],
  ['no-literal-spread', 'server/base/x/x.ts', 'const all = [...[1, 2], 3];'],
  ['no-literal-spread', 'test/x.ts', 'call(...[1, 2]);'],
  ['no-literal-spread', 'console/src/x.tsx', 'const all = { ...{ a: 1 }, b: 2 };'],
  ['no-long-constructor', 'server/x.ts', 'class A { constructor(a: B, c: D, e: F, g: H, i: J, k: L) {} }'],
  [
    'no-long-constructor',
    'console/src/x.tsx',
    '@Injectable() class A { constructor(a: B, c: D, e: F, g: H, i: J, k: L, m: N, o: P, q: R) {} }',
  ],
  ['no-exchangeable-parameters', 'server/x.ts', 'function f(a: A, from: string, name: string, c: C) {}'],
  [
    'no-exchangeable-parameters',
    'server/x.ts',
    'class A { f(a: A, b?: number, c: number | null, d = 1) {} }',
  ],
  [
    'no-exchangeable-parameters',
    'server/x.ts',
    'const f = (a: A, b: B, isOpen = true, isLate = false) => a;',
  ],
  ['no-outside-citation', 'server/x.ts', '/** Same order as in the relay reference, 3.2. */'],
  ['no-outside-citation', 'server/x.ts', '// Budgets of the provider reference'],
  ['no-outside-citation', 'server/x.ts', '/** Longest address (console API 8.1). */'],
  ['no-outside-citation', 'server/x.ts', '/** Appendix A of what was agreed. */'],
  ['no-outside-citation', 'server/x.ts', 'const a = 1; // limits: security reference'],
  ['no-outside-citation', 'server/x.ts', '/** Booked at once (design/money). */'],
  ['no-outside-citation', 'console/src/x.tsx', 'const a = <p>{/* ten rows (specification) */}</p>;'],
  ['no-outside-citation', 'server/x.ts', '/** Stops within a second (2.11). */'],
  ['no-outside-citation', 'server/x.ts', '/** Cheaper than stepping (performance.md, advice 6). */'],
  ['no-outside-citation', 'server/x.ts', '// kept by G5'],
  ['no-outside-citation', 'server/x.ts', '/** I12: computed again. */'],
  ['no-outside-citation', 'server/x.ts', '/** AUTH-06: any origin. */'],
  ['no-outside-citation', 'test/x.spec.ts', '// F-16, before the crash'],
  ['no-outside-citation', 'test/x.mjs', 'call(/* PAY-103 */);'],
  ['title-begins-with-a-verb', 'server/x.spec.ts', "it('is refused', run);"],
  ['title-begins-with-a-verb', 'server/x.spec.ts', "it('that is empty is refused', run);"],
  ['title-begins-with-a-verb', 'test/e2e/x.e2e-spec.ts', "test('AUTH-06: counts what was used once', run);"],
  ['title-begins-with-a-verb', 'console/src/x.spec.tsx', "it.each(['a'])('are not for %s', run);"],
  ['title-begins-with-a-verb', 'test/support/contracts/x.ts', "it.each`a`('count $a', run);"],
];

const ALLOWED: readonly (readonly [path: string, text: string])[] = [
  ['server/x.ts', '@Injectable() class A { constructor(a: B, c: D, e: F, g: H, i: J) {} }'],
  ['server/x.ts', 'class A { constructor(a: B, b: C, c: D, d: E, e: F) {} }'],
  ['server/x.ts', 'function f(bytes: Buffer, rawStart: number, rawEnd: number, name: string) {}'],
  ['server/x.ts', 'function f(a: A, startedAtMs: number, endedAtMs: number, count: number) {}'],
  ['server/x.ts', 'function f(a: string, b: string, c: B) {}'],
  ['server/x.spec.ts', 'function f(a: string, b: string, c: B, d: D) {}'],
  ['server/config/env.ts', 'readEnv(process.env)'],
  ['server/main.ts', 'const env = readEnv(process.env);'],
  ['server/base/x/x.spec.ts', 'process.env.PORT'],
  ['server/infra/http-client/sender.ts', 'await fetch(url);'],
  ['server/base/x/x.ts', 'this.cache.fetch(url);'],
  ['server/base/x/x.ts', 'const all = [...[1, 2].map(String), ...rest];'],
  [
    'server/base/x/x.ts',
    '// SHA-256 over UTF-8, as https://cloud.google.com/apis/design/errors (read 2026-11-21)',
  ],
  ['server/base/x/x.ts', '/** Costs 0.8 µs (22 µs with a key); version 3.1 (docs/money.md). */'],
  ['server/base/x/x.ts', "const invariant = 'I12'; // a string is no comment: 'I'"],
  ['server/x.spec.ts', '/** The secret of RFC 6238, appendix B. */'],
  ['test/x.spec.ts', "it('refuses a closed account [AUTH-06]', run);"],
  ['test/x.spec.ts', "describe('what is sent', () => it('isolates, counts and areas', run));"],
  ['console/src/x.tsx', 'const a = <p>see // AUTH-06 (2.7)</p>;'],
  ['server/base/billing/ledger.ts', ".set({ quota: () => 'quota + 1' })"],
  ['server/base/users/present-user.ts', 'quota: balances.get(user.id)'],
  ['server/console/users/users.repository.ts', 'UPDATE users SET status = 1 WHERE quota = 0'],
];

/** `npm run lint` applies them to the whole tree. */
describe('the text rules', () => {
  it.each(PLANTED)('%s finds it in %s: %s', (rule, path, text) => {
    expect(textFaults(path, `\n${text}\n`)).toEqual([expect.stringContaining(`${path}:2: ${rule}`)]);
  });

  it.each(ALLOWED)('leaves %s alone: %s', (path, text) => {
    expect(textFaults(path, text)).toEqual([]);
  });

  it('lists every known function with exchangeable parameters and no other', () => {
    for (const [path, count] of KNOWN_EXCHANGEABLE)
      expect([path, exchangeableParameters(path, readFileSync(join(root, path), 'utf8')).length]).toEqual([
        path,
        count,
      ]);
  });

  it('has a planted fault for every rule', () => {
    const tested = new Set(PLANTED.map(([rule]) => rule));
    expect(TEXT_RULES.map(({ name }) => name).filter((name) => !tested.has(name))).toEqual([]);
  });
});
