import { join } from 'node:path';

/** Files are imported as they are, compiled on the way in, by processes that load packages and server once for all of them. */
const shared = {
  rootDir: import.meta.dirname,
  runner: '<rootDir>/test/support/bare-runner/runner.mjs',
  transform: {},
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/dist/', '<rootDir>/test/browser/'],
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
};

const node = {
  ...shared,
  moduleFileExtensions: ['ts', 'js', 'mjs', 'cjs', 'json', 'node'],
};

/** @type {import('jest').Config} */
export default {
  maxWorkers: 2,
  cacheDirectory: join(import.meta.dirname, 'node_modules/.cache/jest'),
  testSequencer: join(import.meta.dirname, 'test/support/long-first.cjs'),
  projects: [
    { ...node, displayName: 'server', testMatch: ['<rootDir>/server/**/*.spec.ts'] },
    {
      ...node,
      displayName: 'integration',
      testMatch: ['<rootDir>/test/**/*spec.ts', '!**/*.compiled-spec.ts'],
      globalSetup: '<rootDir>/test/support/servers.ts',
      globalTeardown: '<rootDir>/test/support/stop-servers.ts',
      setupFilesAfterEnv: ['<rootDir>/test/support/integration-timeout.ts'],
    },
    {
      ...node,
      displayName: 'clients',
      testMatch: ['<rootDir>/test/**/*.compiled-spec.ts'],
    },
    {
      ...shared,
      displayName: 'console',
      testMatch: ['<rootDir>/console/src/**/*.test.tsx', '<rootDir>/console/src/**/*.test.ts'],
      moduleFileExtensions: ['tsx', 'ts', 'js', 'mjs', 'cjs', 'json', 'node'],
      setupFiles: ['<rootDir>/test/support/bare-runner/page.mjs'],
      setupFilesAfterEnv: ['<rootDir>/console/src/testing/setup.ts'],
    },
  ],
};
