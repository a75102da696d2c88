/** Folders below these do not need each other in a circle. Specs are left out: they tie everything to everything. */
const PARENTS = [
  'server',
  'server/base',
  'server/gateway',
  'server/console',
  'server/infra',
  'server/relay-core',
  'server/base/billing',
  'server/base/notifications',
  'server/gateway/channels',
  'server/console/operations',
  'server/console/wallet',
  'server/relay-core/pipeline',
  'server/relay-core/providers',
  'server/relay-core/formats',
  'server/relay-core/formats/shared',
];

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: PARENTS.map((parent) => ({
    name: `no-circle-in-${parent.replace('server/', '')}`,
    severity: 'error',
    scope: 'folder',
    from: { path: `^${parent}/[^/]+$` },
    to: { circular: true, path: `^${parent}/[^/]+$` },
  })),
  options: {
    ...require('./.dependency-cruiser.cjs').options,
    exclude: { path: '(^|/)dist/|\\.spec\\.ts$|^test/' },
  },
};
