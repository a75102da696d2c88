/** Who may import whom: one row per sentence of docs/architecture.md. `npm run lint` fails on a violation. */
const inRelayCore = '^server/relay-core/';
const ownCore = '^server/(relay-core|common)/';
const WINGS = '^server/(base|gateway|console)/';
const inModule = (...names) => `^server/(${names.join('|')})/`;

const moduleRules = Object.entries(require('./scripts/module-imports.cjs')).map(([name, { mayImport }]) => ({
  name: `module-${name}`,
  comment: 'scripts/module-imports.cjs has the table; docs/architecture.md shows it.',
  severity: 'error',
  from: { path: inModule(name), pathNot: '\\.spec\\.ts$' },
  to: {
    path: WINGS,
    pathNot: inModule(name, ...mayImport, ...(name.startsWith('base/') ? [] : ['base/[^/]+'])),
  },
}));

/** A vendor is a folder: which others it builds upon. All may use shared/. */
const VENDORS = {
  ali: ['anthropic', 'openai-compatible'],
  azure: ['openai-compatible'],
  bedrock: ['anthropic'],
  cloudflare: ['openai-compatible'],
  'openai-compatible': ['anthropic', 'gemini', 'presets'],
  tencent: ['openai-compatible'],
  vertex: ['anthropic', 'gemini'],
};
const inVendor = (...names) => `^server/relay-core/providers/(${names.join('|')})/`;
const vendorRules = [
  ...Object.entries(VENDORS).map(([name, mayImport]) => ({
    name: `vendor-${name}`,
    severity: 'error',
    from: { path: inVendor(name), pathNot: '\\.spec\\.ts$' },
    to: { path: '^server/relay-core/providers/[^/]+/', pathNot: inVendor(name, 'shared', ...mayImport) },
  })),
  {
    name: 'vendors-do-not-meet',
    severity: 'error',
    from: {
      path: '^server/relay-core/providers/([^/]+)/',
      pathNot: ['\\.spec\\.ts$', inVendor(...Object.keys(VENDORS))],
    },
    to: {
      path: '^server/relay-core/providers/[^/]+/',
      pathNot: ['^server/relay-core/providers/$1/', inVendor('shared')],
    },
  },
];

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Two files that need each other are one idea or three.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'imports-resolve',
      severity: 'error',
      // Clients have packages of their own.
      from: { path: '^(server|test|console|bench)/', pathNot: '^test/e2e/clients/node/' },
      to: { couldNotResolve: true, pathNot: '\\.(css|svg|png)$' },
    },
    {
      name: 'common-imports-nothing-of-ours',
      severity: 'error',
      from: { path: '^server/common/' },
      to: { path: '^(server|console|test)/', pathNot: '^server/common/' },
    },
    {
      name: 'core-is-plain-typescript',
      comment:
        'relay-core knows itself, common and a schema library: no framework, database, Redis or HTTP client.',
      severity: 'error',
      from: { path: inRelayCore, pathNot: '\\.spec\\.ts$' },
      to: {
        pathNot: [ownCore, '^node_modules/zod/'],
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'core-has-no-network-or-disk',
      severity: 'error',
      from: { path: inRelayCore, pathNot: '\\.spec\\.ts$' },
      to: {
        dependencyTypes: ['core'],
        path: '^(node:)?(fs|net|tls|http|https|http2|dgram|dns|child_process|cluster|worker_threads)(/|$)',
      },
    },
    {
      name: 'model-and-ports-know-no-format',
      severity: 'error',
      from: { path: '^server/relay-core/(model|ports|framing)/', pathNot: '\\.spec\\.ts$' },
      to: { path: inRelayCore, pathNot: '^server/relay-core/(model|ports|framing)/' },
    },
    {
      name: 'a-format-knows-no-other-format',
      severity: 'error',
      from: { path: '^server/relay-core/formats/([^/]+)/', pathNot: '\\.spec\\.ts$' },
      to: {
        path: '^server/relay-core/',
        pathNot: [
          '^server/relay-core/formats/($1|contract|shared)/',
          '^server/relay-core/formats/[^/]+$',
          '^server/relay-core/(model|framing)/',
        ],
      },
    },
    {
      name: 'dialects-and-providers-do-not-meet',
      severity: 'error',
      from: { path: '^server/relay-core/dialects/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^server/relay-core/(providers|pipeline)/' },
    },
    {
      name: 'providers-and-dialects-do-not-meet',
      severity: 'error',
      from: { path: '^server/relay-core/providers/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^server/relay-core/(dialects|pipeline)/' },
    },
    {
      name: 'a-vendors-grammar-knows-no-other-format',
      severity: 'error',
      from: {
        path: '^server/relay-core/providers/([^/]+)/(chat|converse|run)/',
        pathNot: '\\.spec\\.ts$',
      },
      to: {
        path: '^server/relay-core/',
        pathNot: [
          '^server/relay-core/providers/$1/',
          '^server/relay-core/formats/(contract|shared)/',
          '^server/relay-core/formats/[^/]+$',
          '^server/relay-core/(model|framing)/',
        ],
      },
    },
    ...vendorRules,
    {
      name: 'pipeline-names-no-dialect-provider-or-format',
      comment: 'The registries hand them in; only the two interfaces are known here.',
      severity: 'error',
      from: { path: '^server/relay-core/pipeline/', pathNot: '\\.spec\\.ts$' },
      to: {
        path: '^server/relay-core/(formats|dialects|providers)/',
        pathNot: [
          '^server/relay-core/dialects/dialect\\.ts$',
          '^server/relay-core/providers/provider\\.ts$',
          // What an API format is, and what formats share; the formats themselves are in folders of their own.
          '^server/relay-core/formats/(contract|shared)/',
          '^server/relay-core/formats/[^/]+$',
        ],
      },
    },
    {
      name: 'infra-knows-no-module',
      severity: 'error',
      from: { path: '^server/infra/' },
      to: { path: WINGS },
    },
    {
      name: 'config-knows-nothing',
      severity: 'error',
      from: { path: '^server/config/' },
      to: { path: '^server/', pathNot: '^server/(config|common)/' },
    },
    {
      name: 'base-knows-no-other-wing',
      severity: 'error',
      from: { path: '^server/base/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^server/(gateway|console)/' },
    },
    {
      name: 'gateway-knows-no-console',
      severity: 'error',
      from: { path: '^server/gateway/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^server/console/' },
    },
    {
      name: 'another-modules-insides',
      comment:
        "Modules meet through services: another module's entity, repository and DTOs are its own business. Rows and routes of one noun may stand in two wings, under one name.",
      severity: 'error',
      from: { path: '^server/(?:base|gateway|console)/([^/]+)/', pathNot: '\\.spec\\.ts$' },
      to: {
        path: '^server/(base|gateway|console)/[^/]+/(.*\\.(entity|repository)|dto/.*)\\.ts$',
        pathNot: '^server/(base|gateway|console)/$1/',
      },
    },
    {
      name: 'modules-know-no-process',
      comment: 'What a process is and how HTTP is served stand above the modules.',
      severity: 'error',
      from: { path: WINGS, pathNot: '\\.spec\\.ts$' },
      to: { path: '^server/(http|process|cli)/' },
    },
    {
      name: 'screens-do-not-meet',
      comment: 'What two screens need stands in console/src/shared.',
      severity: 'error',
      from: { path: '^console/src/features/([^/]+)/' },
      to: { path: '^console/src/features/', pathNot: '^console/src/features/$1/' },
    },
    ...moduleRules,
    {
      name: 'http-clients-in-one-place',
      comment: 'Outbound calls pass one door with one policy (G5).',
      severity: 'error',
      from: { path: '^server/', pathNot: ['^server/infra/http-client/', '\\.spec\\.ts$'] },
      to: { path: '^node_modules/(undici|axios|got|node-fetch)/|^undici$' },
    },
    {
      name: 'redis-in-one-place',
      severity: 'error',
      from: { path: '^server/', pathNot: '^server/infra/shared-store/' },
      to: { path: '^node_modules/ioredis/' },
    },
    {
      name: 'database-drivers-in-one-place',
      severity: 'error',
      from: { path: '^server/', pathNot: '^server/infra/database/' },
      to: { path: '^node_modules/(mysql2|pg|better-sqlite3)/' },
    },
    {
      name: 'server-and-console-do-not-meet',
      severity: 'error',
      from: { path: '^server/' },
      to: { path: '^(console|test|bench)/', pathNot: '^test/support/' },
    },
    {
      name: 'product-knows-no-test-support',
      comment: 'Only tests that stand beside the code use the rigs of test/support.',
      severity: 'error',
      from: { path: '^server/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^test/' },
    },
    {
      name: 'console-and-server-do-not-meet',
      severity: 'error',
      from: { path: '^console/' },
      to: { path: '^(server|test|bench)/' },
    },
    {
      name: 'product-imports-no-test-tools',
      severity: 'error',
      from: { path: '^(server|console/src)/', pathNot: ['\\.spec\\.tsx?$', '^console/src/testing/'] },
      to: { dependencyTypes: ['npm-dev'], pathNot: '^node_modules/(@types|vite|csstype)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.d.ts', '.js', '.mjs', '.cjs', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types'],
    },
  },
};
