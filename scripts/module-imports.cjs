/**
 * The modules of the three wings, and which others of its own wing, or of the gateway, each may import; all of base is open to gateway
 * and console. The one table that `npm run lint`, docs/architecture.md and test/drift/import-rules.e2e-spec.ts read. A module stands
 * below those that may import it, so there is no circle.
 * @type {Record<string, { what: string, mayImport: string[] }>}
 */
module.exports = {
  'base/access': {
    what: 'access levels of routes: @Access, @CurrentActor, other route decorators, roles and status codes',
    mayImport: [],
  },
  'base/pricing': {
    what: 'cost of a usage: pure arithmetic over price documents, and the list prices',
    mayImport: [],
  },
  'base/bin': { what: 'deleted rows: retention, undo, restoring and wiping', mayImport: ['base/access'] },
  'base/audit': { what: 'the audit log: writing, chain, reading', mayImport: ['base/access'] },
  'base/options': {
    what: 'stored options: catalogue, history, change feed',
    mayImport: ['base/access', 'base/audit', 'base/pricing'],
  },
  'base/channel-statistics': {
    what: 'attempts by channel, model and reason: sums, their retention',
    mayImport: ['base/options'],
  },
  'base/limits': {
    what: 'limits per period: definition, periods, use',
    mayImport: ['base/access', 'base/audit', 'base/options'],
  },
  'base/billing': {
    what: 'money of calls: holds, records, booking, ledger, recovery, checks',
    mayImport: ['base/channel-statistics', 'base/limits', 'base/logs', 'base/options', 'base/pricing'],
  },
  'base/logs': {
    what: 'rows of the usage log: writer, repository, retention, journal of failed calls',
    mayImport: ['base/audit', 'base/channel-statistics', 'base/options'],
  },
  'base/users': {
    what: 'rows of accounts: rules, settings, gifts, log lines',
    mayImport: [
      'base/access',
      'base/billing',
      'base/bin',
      'base/limits',
      'base/logs',
      'base/options',
      'base/pricing',
    ],
  },
  'base/notifications': {
    what: 'e-mail: templates, SMTP, security e-mails; notices by e-mail and webhook, quota warnings',
    mayImport: ['base/billing', 'base/options', 'base/pricing', 'base/users'],
  },
  'base/auth': {
    what: 'sign-in, registration, sessions, access guard; password reset; two-factor: authenticator and recovery codes; verification: mailed codes, human check',
    mayImport: ['base/access', 'base/audit', 'base/notifications', 'base/options', 'base/users'],
  },
  'gateway/http': {
    what: 'reading requests and writing replies: paths, head reader, checks, credentials',
    mayImport: [],
  },
  'gateway/tokens': { what: 'API tokens, and the caller behind one', mayImport: [] },
  'gateway/channels': {
    what: 'upstream accounts: state, probing, routing, jobs, administration; upstream/ implements the ports to providers',
    mayImport: [],
  },
  'gateway/tasks': {
    what: 'asynchronous tasks: drawings and songs',
    mayImport: ['gateway/channels', 'gateway/http', 'gateway/tokens'],
  },
  'gateway/relay': {
    what: 'calls over HTTP: handler, limits, fast path, realtime, metrics and traces of calls',
    mayImport: ['gateway/channels', 'gateway/http', 'gateway/tasks', 'gateway/tokens'],
  },
  'console/users': { what: 'routes of accounts: own account, administration, invitations', mayImport: [] },
  'console/identities': { what: 'sign-in by external identity providers', mayImport: [] },
  'console/passkeys': {
    what: 'passkeys, and step-up authentication with them',
    mayImport: ['console/identities'],
  },
  'console/options': {
    what: 'routes over options: settings, status, groups, set-up, mail test',
    mayImport: [],
  },
  'console/pricing': {
    what: 'price screens: list, preview, import, versions',
    mayImport: ['gateway/channels'],
  },
  'console/redemptions': { what: 'redemption codes', mayImport: [] },
  'console/wallet': { what: 'payments, orders, account ledger', mayImport: [] },
  'console/logs': {
    what: 'reading the usage log: lists, sums, export, explanations',
    mayImport: ['gateway/channels', 'gateway/tokens'],
  },
  'console/warnings': {
    what: 'warnings of an account and of the instance, computed for pages and e-mails',
    mayImport: ['console/limits', 'gateway/channels', 'gateway/tokens'],
  },
  'console/limits': {
    what: 'limits per period: routes, rights, warnings, metrics',
    mayImport: ['gateway/channels', 'gateway/tokens'],
  },
  'console/weekly-email': {
    what: 'the weekly summary by e-mail: switch, stop link, job',
    mayImport: ['console/warnings'],
  },
  'console/dashboard': {
    what: 'dashboard metrics, billing summary',
    mayImport: ['console/warnings', 'gateway/channels', 'gateway/http', 'gateway/tokens'],
  },
  'console/playground': {
    what: 'model calls of a signed-in person',
    mayImport: ['gateway/http', 'gateway/relay', 'gateway/tokens'],
  },
  'console/import': {
    what: 'import from other gateways: reading their databases, writing rows with a journal, undo',
    mayImport: [
      'console/passkeys',
      'console/redemptions',
      'console/wallet',
      'gateway/channels',
      'gateway/tasks',
      'gateway/tokens',
    ],
  },
  'console/operations': {
    what: 'state of the installation: workers, channel health, findings, alerts, money check',
    mayImport: ['console/wallet', 'gateway/channels'],
  },
};
