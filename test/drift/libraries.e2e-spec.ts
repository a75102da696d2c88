import { describe, expect, it } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

interface Source {
  readonly path: string;
  readonly text: string;
}

const read = (...patterns: readonly string[]): Source[] =>
  globSync([...patterns], { cwd: root }).map((path) => ({
    path,
    text: readFileSync(join(root, path), 'utf8'),
  }));

const product = read('server/**/*.ts').filter(({ path }) => !path.endsWith('.spec.ts'));
const console = read('console/src/**/*.ts', 'console/src/**/*.tsx').filter(
  ({ path }) => !path.includes('.test.') && !path.includes('/testing/'),
);
const tests = read('server/**/*.spec.ts', 'test/**/*.ts').filter(
  ({ path }) => !path.endsWith('libraries.spec.ts'),
);

const importersOf = (name: string, sources: readonly Source[]): string[] =>
  sources
    .filter(({ text }) => text.includes(`from '${name}'`) || text.includes(`import('${name}')`))
    .map(({ path }) => path);

const pathsWith = (pattern: RegExp, sources: readonly Source[]): string[] =>
  sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path);

describe('libraries that carry a part of the work', () => {
  it.each([
    '@nestjs/typeorm',
    '@nestjs/throttler',
    '@nestjs/schedule',
    'passport',
    'passport-github2',
    'openid-client',
  ])('%s is used by the product', (name) => {
    expect(importersOf(name, product)).not.toEqual([]);
  });

  it.each(['@jest/globals', 'supertest'])('%s is used by tests', (name) => {
    expect(importersOf(name, tests)).not.toEqual([]);
  });

  it('openapi-fetch makes every call of the console API, with types nobody asserts', () => {
    expect(importersOf('openapi-fetch', console)).toEqual(['console/src/api/client.ts']);
    expect(pathsWith(/\bfetch\(/, console)).toEqual(['console/src/api/client.ts']);
    expect(pathsWith(/\b(?:call|callForData)</, console)).toEqual([]);
  });

  it('data sources come from @nestjs/typeorm alone', () => {
    expect(pathsWith(/provide: DataSource\b/, product)).toEqual([]);
    const bare = pathsWith(/@Inject\((LOG_DATA_SOURCE|DataSource)\)/, product);
    expect(bare).toEqual([]);
  });

  it('limits of the console API are ThrottlerGuard and declared beside routes', () => {
    expect(pathsWith(/extends ThrottlerGuard\b/, product)).toEqual([
      'server/modules/auth/console-throttler.guard.ts',
    ]);
    expect(pathsWith(/`api:(address|user):/, product)).toEqual([]);
  });

  it('recurring jobs are declared by @LeasedInterval', () => {
    expect(pathsWith(/\bjobs\.every\(/, product)).toEqual(['server/infra/schedule/leased-interval.ts']);
  });

  it('providers leave intervals to @Interval', () => {
    const loops = product.filter(
      ({ text }) =>
        text.includes('@Injectable()') &&
        /clock\.after\(\w*(EVERY|PERIOD|POLL)\w*, \(\) => void this\.\w+\(\)/.test(text),
    );
    expect(loops.map(({ path }) => path)).toEqual([]);
  });
});
