/**
 * Which module of server/modules may import which: the one table that `npm run lint`, docs/architecture.md and
 * test/drift/import-rules.e2e-spec.ts read. A module stands below those that may import it, so there is no circle.
 * @type {Record<string, { what: string, mayImport: string[] }>}
 */
module.exports = {
  access: {
    what: 'who asks: actor, @Access, @CurrentActor, other route decorators, roles and status codes',
    mayImport: [],
  },
  'price-rules': {
    what: 'what a usage costs: pure arithmetic over price documents, and the list prices',
    mayImport: [],
  },
  audit: { what: 'the audit log: writing, chain, reading', mayImport: ['access'] },
  options: {
    what: 'stored settings: catalogue, history, change feed',
    mayImport: ['access', 'audit', 'price-rules'],
  },
  mail: { what: 'letters: templates, SMTP', mayImport: ['options'] },
  'relay-adapters': {
    what: 'ports of relay-core that calls and channel tests share: options, token counter, media fetcher, vendor tokens',
    mayImport: ['options'],
  },
  billing: {
    what: 'money of calls: holds, records, booking, ledger, recovery, checks',
    mayImport: ['options', 'price-rules'],
  },
  'usage-log': {
    what: 'writing the usage log: line, writer, repository, retention, journal of failed calls',
    mayImport: ['audit', 'options'],
  },
  accounts: {
    what: 'accounts without routes: rows, rules, settings, gifts, log lines, security e-mails',
    mayImport: ['access', 'billing', 'mail', 'options', 'price-rules', 'usage-log'],
  },
  verification: {
    what: 'proofs for signing in: human check, mailed codes',
    mayImport: ['accounts', 'mail', 'options'],
  },
  'two-factor': {
    what: 'authenticator and recovery codes, without routes',
    mayImport: ['accounts', 'audit'],
  },
  auth: {
    what: 'signing in and registering; sessions; access guard; password reset; the own second factor',
    mayImport: ['access', 'accounts', 'audit', 'mail', 'options', 'two-factor', 'verification'],
  },
  notifications: {
    what: 'notices by mail and webhook, quota warnings',
    mayImport: ['accounts', 'billing', 'mail', 'options', 'price-rules', 'verification'],
  },
  users: {
    what: 'routes of accounts: own account, administration, invitations',
    mayImport: [
      'access',
      'accounts',
      'audit',
      'auth',
      'billing',
      'mail',
      'notifications',
      'options',
      'usage-log',
      'verification',
    ],
  },
  identities: {
    what: 'signing in by way of others',
    mayImport: ['access', 'accounts', 'audit', 'auth', 'mail', 'options'],
  },
  settings: {
    what: 'routes over options: settings, status, groups, set-up, mail test',
    mayImport: ['access', 'accounts', 'audit', 'auth', 'mail', 'options', 'usage-log'],
  },
  tokens: {
    what: 'API tokens, and who stands behind one',
    mayImport: ['access', 'accounts', 'auth', 'billing', 'options'],
  },
  channels: {
    what: 'upstream accounts: state, probing, routing, jobs, administration',
    mayImport: ['access', 'audit', 'notifications', 'options', 'relay-adapters', 'usage-log'],
  },
  redemptions: {
    what: 'codes worth quota',
    mayImport: ['access', 'accounts', 'audit', 'auth', 'billing', 'options', 'price-rules', 'usage-log'],
  },
  wallet: {
    what: 'payments, orders, ledger of an account',
    mayImport: [
      'access',
      'accounts',
      'audit',
      'auth',
      'billing',
      'notifications',
      'options',
      'price-rules',
      'usage-log',
    ],
  },
  passkeys: {
    what: 'passkeys, and step-up authentication by them',
    mayImport: ['access', 'accounts', 'audit', 'auth', 'identities', 'options', 'two-factor'],
  },
  logs: {
    what: 'reading the usage log: lists, sums, export, explanations, channel health',
    mayImport: [
      'access',
      'accounts',
      'audit',
      'auth',
      'billing',
      'channels',
      'options',
      'tokens',
      'usage-log',
    ],
  },
  pricing: {
    what: 'price screens: list, preview, import, versions',
    mayImport: ['access', 'auth', 'billing', 'channels', 'options', 'price-rules', 'usage-log'],
  },
  operations: {
    what: 'state of the installation: workers, findings, alerts, money check',
    mayImport: [
      'access',
      'audit',
      'auth',
      'billing',
      'channels',
      'mail',
      'notifications',
      'options',
      'verification',
      'wallet',
    ],
  },
  'relay-http': {
    what: 'request and reply primitives of the relay: paths, head reader, checks, replies, credentials',
    mayImport: ['tokens'],
  },
  dashboard: {
    what: 'figures of the dashboard, billing summary',
    mayImport: ['access', 'accounts', 'auth', 'billing', 'options', 'relay-http', 'tokens'],
  },
  tasks: {
    what: 'drawings and songs',
    mayImport: [
      'access',
      'accounts',
      'billing',
      'channels',
      'options',
      'price-rules',
      'relay-adapters',
      'relay-http',
      'tokens',
      'usage-log',
    ],
  },
  relay: {
    what: 'calls over HTTP: handler, limits, fast path, realtime, metrics and traces of calls',
    mayImport: [
      'billing',
      'channels',
      'options',
      'relay-adapters',
      'relay-http',
      'tasks',
      'tokens',
      'usage-log',
    ],
  },
  playground: {
    what: 'calls by a signed-in person',
    mayImport: ['access', 'accounts', 'auth', 'options', 'relay', 'relay-http', 'tokens'],
  },
};
