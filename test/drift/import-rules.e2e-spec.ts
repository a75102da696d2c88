import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import MODULES from '../../scripts/module-imports.cjs';

const root = join(import.meta.dirname, '../..');

const NAMES = Object.keys(MODULES);

/** For each module one that it may not import. */
const MODULE_VIOLATIONS = NAMES.map((name): readonly [string, string, string] => {
  const other = NAMES.find(
    (candidate) =>
      candidate !== name &&
      !MODULES[name]?.mayImport.includes(candidate) &&
      (name.startsWith('base/') || !candidate.startsWith('base/')),
  );
  return [`module-${name}`, `server/${name}/takes.ts`, `../../${other}/given.service.js`];
});

/** One planted violation per rule: the file, and what it imports. */
const PLANTED: readonly (readonly [rule: string, file: string, imported: string])[] = [
  ['no-cycles', 'server/console/one/first.service.ts', './second.service.js'],
  ['imports-resolve', 'server/console/one/lost.ts', './nowhere.js'],
  ['common-imports-nothing-of-ours', 'server/common/greedy.ts', '../config/env.js'],
  ['core-is-plain-typescript', 'server/relay-core/pipeline/framework.ts', '@nestjs/common'],
  ['core-is-plain-typescript', 'server/relay-core/pipeline/adapter.ts', '../../infra/http-client/sender.js'],
  ['core-has-no-network-or-disk', 'server/relay-core/pipeline/socket.ts', 'node:net'],
  ['model-and-ports-know-no-format', 'server/relay-core/model/knows-format.ts', '../formats/alpha/codec.js'],
  ['a-format-knows-no-other-format', 'server/relay-core/formats/beta/knows-alpha.ts', '../alpha/codec.js'],
  [
    'dialects-and-providers-do-not-meet',
    'server/relay-core/dialects/knows-vendor.ts',
    '../providers/vendor.js',
  ],
  [
    'providers-and-dialects-do-not-meet',
    'server/relay-core/providers/knows-dialect.ts',
    '../dialects/vendor-api.js',
  ],
  [
    'pipeline-names-no-dialect-provider-or-format',
    'server/relay-core/pipeline/names.ts',
    '../dialects/vendor-api.js',
  ],
  ['infra-knows-no-module', 'server/infra/http-client/knows-module.ts', '../../console/two/two.service.js'],
  ['config-knows-nothing', 'server/config/knows-module.ts', '../console/two/two.service.js'],
  ['another-modules-insides', 'server/console/one/steals-entity.ts', '../two/two.entity.js'],
  ['another-modules-insides', 'server/console/one/steals-repository.ts', '../two/two.repository.js'],
  ['another-modules-insides', 'server/console/one/steals-dto.ts', '../two/dto/two.dto.js'],
  ['base-knows-no-other-wing', 'server/base/pricing/climbs.ts', '../../gateway/relay/given.service.js'],
  ['gateway-knows-no-console', 'server/gateway/relay/climbs.ts', '../../console/users/given.service.js'],
  [
    'a-vendors-grammar-knows-no-other-format',
    'server/relay-core/providers/beta/chat/knows-alpha.ts',
    '../../../formats/alpha/codec.js',
  ],
  ['vendors-do-not-meet', 'server/relay-core/providers/beta/knows-gamma.ts', '../gamma/provider.js'],
  ['vendor-ali', 'server/relay-core/providers/ali/knows-gamma.ts', '../gamma/provider.js'],
  ['vendor-azure', 'server/relay-core/providers/azure/knows-gamma.ts', '../gamma/provider.js'],
  ['vendor-bedrock', 'server/relay-core/providers/bedrock/knows-gamma.ts', '../gamma/provider.js'],
  ['vendor-cloudflare', 'server/relay-core/providers/cloudflare/knows-gamma.ts', '../gamma/provider.js'],
  [
    'vendor-openai-compatible',
    'server/relay-core/providers/openai-compatible/knows-gamma.ts',
    '../gamma/provider.js',
  ],
  ['vendor-tencent', 'server/relay-core/providers/tencent/knows-gamma.ts', '../gamma/provider.js'],
  ['vendor-vertex', 'server/relay-core/providers/vertex/knows-gamma.ts', '../gamma/provider.js'],
  ['modules-know-no-process', 'server/console/one/knows-http.ts', '../../http/listener.js'],
  ['screens-do-not-meet', 'console/src/features/one/page.ts', '../two/page.js'],
  ...MODULE_VIOLATIONS,
  ['http-clients-in-one-place', 'server/console/one/calls-out.ts', 'undici'],
  ['redis-in-one-place', 'server/console/one/talks-to-redis.ts', 'ioredis'],
  ['database-drivers-in-one-place', 'server/console/one/talks-to-mysql.ts', 'mysql2'],
  ['server-and-console-do-not-meet', 'server/console/one/knows-console.ts', '../../../console/src/page.js'],
  ['product-knows-no-test-support', 'server/console/one/uses-rig.ts', '../../../test/support/rig.js'],
  ['console-and-server-do-not-meet', 'console/src/knows-server.ts', '../../server/config/env.js'],
  ['product-imports-no-test-tools', 'server/console/one/uses-jest.ts', '@jest/globals'],
];

const ALLOWED: readonly (readonly [file: string, imported: string])[] = [
  ['server/console/one/good-neighbour.ts', '../two/two.service.js'],
  ['server/relay-core/formats/alpha/codec.ts', '../../framing/frames.js'],
  ['server/relay-core/pipeline/uses-interface.ts', '../dialects/dialect.js'],
  ['server/infra/http-client/sender.ts', 'undici'],
  ['server/console/one/rule.spec.ts', '../../../test/support/rig.js'],
  ['server/infra/shared-store/redis.ts', 'ioredis'],
  ['server/infra/database/source.ts', 'mysql2'],
];

const PLAIN = [
  'server/config/env.ts',
  'server/relay-core/framing/frames.ts',
  'server/relay-core/providers/vendor.ts',
  'server/relay-core/dialects/vendor-api.ts',
  'server/relay-core/providers/gamma/provider.ts',
  'server/relay-core/dialects/dialect.ts',
  'server/http/listener.ts',
  'console/src/features/two/page.ts',
  ...NAMES.map((name) => `server/${name}/given.service.ts`),
  'server/console/two/two.service.ts',
  'server/console/two/two.entity.ts',
  'server/console/two/two.repository.ts',
  'server/console/two/dto/two.dto.ts',
  'console/src/page.ts',
  'test/support/rig.ts',
];

const PACKAGES = {
  dependencies: ['@nestjs/common', 'undici', 'ioredis', 'mysql2'],
  devDependencies: ['@jest/globals'],
};

interface Violation {
  readonly from: string;
  readonly rule: { readonly name: string };
}

describe('the import rules', () => {
  let folder: string;
  let violations: Violation[];

  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tollgate-rules-'));
    const versions = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, '1.0.0']));
    write(
      'package.json',
      JSON.stringify({
        type: 'module',
        dependencies: versions(PACKAGES.dependencies),
        devDependencies: versions(PACKAGES.devDependencies),
      }),
    );
    for (const name of [...PACKAGES.dependencies, ...PACKAGES.devDependencies]) {
      write(
        `node_modules/${name}/package.json`,
        JSON.stringify({ name, version: '1.0.0', main: 'index.js' }),
      );
      write(`node_modules/${name}/index.js`, 'module.exports = {};\n');
    }
    write('tsconfig.json', readFileSync(join(root, 'tsconfig.json'), 'utf8'));
    for (const file of PLAIN) write(file, 'export const fact = 1;\n');
    for (const [file, imported] of ALLOWED) write(file, `export * from '${imported}';\n`);
    write('server/console/one/second.service.ts', "export * from './first.service.js';\n");
    for (const [, file, imported] of PLANTED) write(file, `export * from '${imported}';\n`);
    const tool = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
    const config = join(root, '.dependency-cruiser.cjs');
    const words = [tool, '--config', config, '--output-type', 'json', 'server', 'console'];
    const { stdout, stderr } = spawnSync(process.execPath, words, {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    });
    if (stdout === '') throw new Error(stderr);
    const answer = JSON.parse(stdout) as { summary: { violations: Violation[] } };
    violations = answer.summary.violations;
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(PLANTED)('%s finds %s', (rule, file) => {
    const found = violations.filter(({ from }) => from === file).map((violation) => violation.rule.name);
    expect(found).toContain(rule);
  });

  it.each(ALLOWED)('leaves %s alone', (file) => {
    expect(violations.filter(({ from }) => from === file)).toEqual([]);
  });

  it('has a planted violation for every rule', async () => {
    const { default: config } = (await import(join(root, '.dependency-cruiser.cjs'))) as {
      default: { forbidden: { name: string }[] };
    };
    const tested = new Set(PLANTED.map(([rule]) => rule));
    expect(config.forbidden.map(({ name }) => name).filter((name) => !tested.has(name))).toEqual([]);
  });
});

describe('the table of modules', () => {
  it('has a row for every module', () => {
    const folders = ['base', 'gateway', 'console'].flatMap((wing) =>
      readdirSync(join(root, 'server', wing), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => `${wing}/${name}`),
    );
    expect(folders.toSorted()).toEqual(NAMES.toSorted());
  });

  it('lets a module import only what stands above its own row or beside it without a way back', () => {
    const reaches = (from: string, wanted: string, seen = new Set<string>()): boolean =>
      (MODULES[from]?.mayImport ?? []).some((next) => {
        if (next === wanted) return true;
        if (seen.has(next)) return false;
        seen.add(next);
        return reaches(next, wanted, seen);
      });
    expect(NAMES.filter((name) => reaches(name, name))).toEqual([]);
  });
});

describe('folders', () => {
  it('finds those that need each other in a circle', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-folders-'));
    try {
      const write = (path: string, text: string): void => {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), text);
      };
      write('package.json', '{"type":"module"}');
      write('tsconfig.json', readFileSync(join(root, 'tsconfig.json'), 'utf8'));
      write('server/infra/one/first.ts', "export * from '../two/first.js';\n");
      write('server/infra/two/first.ts', 'export const fact = 1;\n');
      write('server/infra/two/second.ts', "export * from '../one/second.js';\n");
      write('server/infra/one/second.ts', 'export const fact = 1;\n');
      const tool = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
      const config = join(root, '.dependency-cruiser.folders.cjs');
      const words = [tool, '--config', config, '--output-type', 'json', 'server'];
      const { stdout } = spawnSync(process.execPath, words, { cwd: folder, encoding: 'utf8' });
      const answer = JSON.parse(stdout) as { summary: { violations: Violation[] } };
      expect(answer.summary.violations.map(({ rule }) => rule.name)).toContain('no-circle-in-infra');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
