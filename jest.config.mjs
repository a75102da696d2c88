import { existsSync } from 'node:fs';
import { join } from 'node:path';

const consoleSetup = join(import.meta.dirname, 'console/src/testing/setup.ts');

/** One compiler setting for every project: decorators with metadata for the server, the automatic JSX runtime for the console. */
const transform = {
  '\\.tsx?$': [
    '@swc/jest',
    {
      swcrc: false,
      sourceMaps: true,
      jsc: {
        target: 'es2024',
        keepClassNames: true,
        parser: { syntax: 'typescript', tsx: true, decorators: true },
        transform: { legacyDecorator: true, decoratorMetadata: true, react: { runtime: 'automatic' } },
        // Without its `with { type: 'json' }` every import of texts prints a warning.
        experimental: { keepImportAttributes: true },
      },
      module: { type: 'es6' },
    },
  ],
};

/** `.ts` files are parsed without JSX, so that a generic arrow function `<T>(x: T) => …` means what it says. */
const serverTransform = {
  '\\.ts$': [
    '@swc/jest',
    {
      ...transform['\\.tsx?$'][1],
      jsc: { ...transform['\\.tsx?$'][1].jsc, parser: { syntax: 'typescript', decorators: true } },
    },
  ],
};

const shared = {
  rootDir: import.meta.dirname,
  resolver: '<rootDir>/test/support/jest-resolver.cjs',
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/dist/', '<rootDir>/test/browser/'],
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
};

const node = {
  ...shared,
  testEnvironment: 'node',
  transform: serverTransform,
  moduleFileExtensions: ['ts', 'js', 'mjs', 'cjs', 'json', 'node'],
};

/** Modules are loaded once for all files. */
const bare = { runner: '<rootDir>/test/support/bare-runner/runner.mjs' };

/** @type {import('jest').Config} */
export default {
  maxWorkers: 2,
  cacheDirectory: join(import.meta.dirname, 'node_modules/.cache/jest'),
  // Modules of a test file are never quite let go: a worker that has grown is replaced before it swaps, or collects garbage all day.
  workerIdleMemoryLimit: '1500MB',
  testSequencer: join(import.meta.dirname, 'test/support/long-first.cjs'),
  projects: [
    { ...node, ...bare, displayName: 'server', testMatch: ['<rootDir>/server/**/*.spec.ts'] },
    {
      ...node,
      ...bare,
      displayName: 'integration',
      testMatch: ['<rootDir>/test/**/*spec.ts'],
      globalSetup: '<rootDir>/test/support/servers.ts',
      globalTeardown: '<rootDir>/test/support/stop-servers.ts',
      setupFilesAfterEnv: ['<rootDir>/test/support/integration-timeout.ts'],
    },
    {
      ...shared,
      displayName: 'console',
      testEnvironment: '<rootDir>/test/support/console-environment.cjs',
      testMatch: ['<rootDir>/console/src/**/*.test.tsx', '<rootDir>/console/src/**/*.test.ts'],
      transform: { '\\.tsx$': transform['\\.tsx?$'], ...serverTransform },
      moduleFileExtensions: ['tsx', 'ts', 'js', 'mjs', 'cjs', 'json', 'node'],
      moduleNameMapper: {
        '\\.(css|svg|png|woff2)$': '<rootDir>/test/support/asset-stub.cjs',
        '^@fontsource': '<rootDir>/test/support/asset-stub.cjs',
      },
      setupFilesAfterEnv: existsSync(consoleSetup) ? [consoleSetup] : [],
    },
  ],
};
