/**
 * The modules of the three wings, and which others of its own wing, or of the gateway, each may import; all of base is open to gateway
 * and console. The one table that `npm run lint`, docs/architecture.md and test/drift/import-rules.e2e-spec.ts read. A module stands
 * below those that may import it, so there is no circle.
 * @type {Record<string, { what: string, mayImport: string[] }>}
 */
module.exports = {
  'base/access': {
    what: 'who asks: actor, @Access, @CurrentActor, other route decorators, roles and status codes',
    mayImport: [],
  },
  'base/pricing': {
    what: 'what a usage costs: pure arithmetic over price documents, and the list prices',
    mayImport: [],
  },
  'base/audit': { what: 'the audit log: writing, chain, reading', mayImport: ['base/access'] },
  'base/options': {
    what: 'stored settings: catalogue, history, change feed',
    mayImport: ['base/access', 'base/audit', 'base/pricing'],
  },
  'base/billing': {
    what: 'money of calls: holds, records, booking, ledger, recovery, checks',
    mayImport: ['base/options', 'base/pricing'],
  },
  'base/logs': {
    what: 'rows of the usage log: line, writer, repository, retention, journal of failed calls',
    mayImport: ['base/audit', 'base/options'],
  },
  'base/users': {
    what: 'rows of accounts: rules, settings, gifts, log lines',
    mayImport: ['base/access', 'base/billing', 'base/logs', 'base/options', 'base/pricing'],
  },
  'base/notifications': {
    what: 'letters: templates, SMTP, security e-mails; notices by mail and webhook, quota warnings',
    mayImport: ['base/billing', 'base/options', 'base/pricing', 'base/users'],
  },
  'base/auth': {
    what: 'signing in and registering; sessions; access guard; password reset; mailed codes, human check, authenticator and recovery codes',
    mayImport: ['base/access', 'base/audit', 'base/notifications', 'base/options', 'base/users'],
  },
  'gateway/http': {
    what: 'how requests are read and replies written: paths, head reader, checks, replies, credentials',
    mayImport: [],
  },
  'gateway/tokens': { what: 'API tokens, and who stands behind one', mayImport: [] },
  'gateway/channels': {
    what: 'upstream accounts: state, probing, routing, jobs, administration; upstream/ has the ports by which they are spoken to',
    mayImport: [],
  },
  'gateway/tasks': {
    what: 'drawings and songs',
    mayImport: ['gateway/channels', 'gateway/http', 'gateway/tokens'],
  },
  'gateway/relay': {
    what: 'calls over HTTP: handler, limits, fast path, realtime, metrics and traces of calls',
    mayImport: ['gateway/channels', 'gateway/http', 'gateway/tasks', 'gateway/tokens'],
  },
  'console/users': { what: 'routes of accounts: own account, administration, invitations', mayImport: [] },
  'console/identities': { what: 'signing in by way of others', mayImport: [] },
  'console/passkeys': {
    what: 'passkeys, and step-up authentication by them',
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
  'console/redemptions': { what: 'codes worth quota', mayImport: [] },
  'console/wallet': { what: 'payments, orders, ledger of an account', mayImport: [] },
  'console/logs': {
    what: 'reading the usage log: lists, sums, export, explanations, channel health',
    mayImport: ['gateway/channels', 'gateway/tokens'],
  },
  'console/dashboard': {
    what: 'figures of the dashboard, billing summary',
    mayImport: ['gateway/http', 'gateway/tokens'],
  },
  'console/playground': {
    what: 'calls by a signed-in person',
    mayImport: ['gateway/http', 'gateway/relay', 'gateway/tokens'],
  },
  'console/operations': {
    what: 'state of the installation: workers, findings, alerts, money check',
    mayImport: ['console/wallet', 'gateway/channels'],
  },
};
