const { relative } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

/** Files and folders that take longest, about 20 seconds and more of a worker each: they start programs and wait for them. */
const LONG = [
  'test/chaos/chaos.',
  'test/e2e/process/rolling-restart.',
  'test/e2e/clients/python.',
  'test/e2e/infra/history/history.',
  'test/e2e/process/',
  'test/e2e/gateway/relay/cold-burst.',
  'test/e2e/gateway/relay/half-closed.',
  'test/e2e/base/billing/client-aborts.',
  'test/e2e/gateway/relay/money-crash.',
  'test/e2e/console/operations/slow-database.',
  'test/drift/first-change.',
  'test/golden/schema-instances.',
  'test/e2e/base/auth/login-limits.',
  'test/e2e/clients/agents/',
  'test/e2e/clients/node.',
  'test/e2e/infra/shared-store/',
  'test/e2e/base/billing/',
  'test/simulator/simulator.',
  'test/e2e/http/bad-input.',
  'test/e2e/gateway/relay/closed-callers.',
  'test/e2e/gateway/relay/plain-paths.',
  'test/e2e/gateway/channels/vendor-words.',
  'test/e2e/gateway/tasks/task-vendor-words.',
  'test/e2e/infra/schedule/',
  'test/e2e/infra/database/',
  'test/e2e/vendors/realtime/realtime-crash.',
  'test/e2e/vendors/realtime/realtime-frames.',
  'test/e2e/infra/observability/supervised.',
];

/**
 * The long ones first: one that comes last leaves every other worker without work. Jest knows how long a file took only where it ran
 * before, which in a fresh clone it did not.
 */
class LongFirst extends Sequencer {
  async sort(tests) {
    const known = await super.sort(tests);
    const rank = ({ path, context }) => {
      const name = relative(context.config.rootDir, path);
      const place = LONG.findIndex((start) => name.startsWith(start));
      return place === -1 ? LONG.length : place;
    };
    return known.toSorted((left, right) => rank(left) - rank(right));
  }
}

module.exports = LongFirst;
module.exports.LONG = LONG;
