import { join } from 'node:path';
import { TEST_GLOBS } from './test/support/test-files.mjs';

const filesOf = (part) => TEST_GLOBS[part].map((glob) => `<rootDir>/${glob}`);

const common = {
  rootDir: import.meta.dirname,
  // Of each project: where it stands once, the projects write beside the temporary files.
  cacheDirectory: join(import.meta.dirname, 'node_modules/.cache/jest'),
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/dist/', '<rootDir>/test/browser/'],
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
};

const CODE = ['ts', 'js', 'mjs', 'cjs', 'json', 'node'];

/** Ordinary Jest: every file has modules and globals of its own. Modules are ECMAScript's: Node needs --experimental-vm-modules. */
const isolated = {
  ...common,
  testEnvironment: '<rootDir>/test/support/node-environment.mjs',
  moduleFileExtensions: CODE,
  transform: { '\\.ts$': '<rootDir>/test/support/compile-typescript.cjs' },
  extensionsToTreatAsEsm: ['.ts'],
  setupFiles: ['<rootDir>/test/support/load-nest.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
};

/** Files that start the application. */
const application = {
  ...isolated,
  setupFiles: ['<rootDir>/test/support/load-application-packages.ts'],
};

/** @type {import('jest').Config} */
export default {
  maxWorkers: 2,
  // Of whatever waits for nothing but the processor: the machine may be shared.
  testTimeout: 30_000,
  // A process that has grown beyond this is replaced.
  workerIdleMemoryLimit: '1500MB',
  testSequencer: join(import.meta.dirname, 'test/support/long-first.cjs'),
  projects: [
    { ...isolated, displayName: 'server', testMatch: filesOf('unit') },
    {
      ...application,
      displayName: 'integration',
      testMatch: filesOf('integration'),
      testPathIgnorePatterns: [
        ...common.testPathIgnorePatterns,
        '<rootDir>/test/e2e/clients/(compiled|programs)/',
      ],
      globalSetup: '<rootDir>/test/support/servers.ts',
      globalTeardown: '<rootDir>/test/support/stop-servers.ts',
      setupFilesAfterEnv: ['<rootDir>/test/support/integration-timeout.ts'],
    },
    {
      ...application,
      displayName: 'clients',
      testMatch: filesOf('clients'),
    },
    {
      ...isolated,
      displayName: 'console',
      testMatch: filesOf('console'),
      moduleFileExtensions: ['tsx', ...CODE],
      transform: { '\\.tsx?$': '<rootDir>/test/support/compile-typescript.cjs' },
      extensionsToTreatAsEsm: ['.ts', '.tsx'],
      moduleNameMapper: { '\\.(css|svg|png|woff2)$|^@fontsource': '<rootDir>/test/support/asset-stub.cjs' },
      testEnvironment: '<rootDir>/test/support/console-environment.mjs',
      testEnvironmentOptions: { customExportConditions: ['node'] },
      setupFiles: [],
      setupFilesAfterEnv: ['<rootDir>/console/src/testing/setup.ts'],
    },
  ],
};
