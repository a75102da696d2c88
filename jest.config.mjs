import { join } from 'node:path';
import { TEST_GLOBS } from './test/support/test-files.mjs';

const filesOf = (part) => TEST_GLOBS[part].map((glob) => `<rootDir>/${glob}`);

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
    { ...node, displayName: 'server', testMatch: filesOf('unit') },
    {
      ...node,
      displayName: 'integration',
      testMatch: [...filesOf('integration'), '!**/*.compiled-spec.ts'],
      globalSetup: '<rootDir>/test/support/servers.ts',
      globalTeardown: '<rootDir>/test/support/stop-servers.ts',
      setupFilesAfterEnv: ['<rootDir>/test/support/integration-timeout.ts'],
    },
    {
      ...node,
      displayName: 'clients',
      testMatch: filesOf('clients'),
    },
    {
      ...shared,
      displayName: 'console',
      testMatch: filesOf('console'),
      moduleFileExtensions: ['tsx', 'ts', 'js', 'mjs', 'cjs', 'json', 'node'],
      setupFiles: ['<rootDir>/test/support/bare-runner/page.mjs'],
      setupFilesAfterEnv: ['<rootDir>/console/src/testing/setup.ts'],
    },
  ],
};
