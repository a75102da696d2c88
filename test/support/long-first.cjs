const { relative } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

/** Files that start programs and wait for them: half a minute and more each. */
const LONG = [
  'test/chaos/chaos.',
  'test/e2e/process/rolling-restart.',
  'test/e2e/process/',
  'test/e2e/billing/client-aborts.',
  'test/e2e/relay/money-crash.',
  'test/e2e/clients/agents/frameworks.',
  'test/e2e/infra-shared-store/',
  'test/e2e/billing/',
  'test/e2e/infra-schedule/',
  'test/e2e/infra-database/',
  'test/e2e/vendors/realtime/realtime-crash.',
  'test/e2e/infra-observability/supervised.',
];

/**
 * The long ones first: one that comes last leaves every other worker without work. Jest knows how long a file took only where it ran
 * before, which in a fresh clone it did not.
 */
module.exports = class LongFirst extends Sequencer {
  async sort(tests) {
    const known = await super.sort(tests);
    const rank = ({ path, context }) => {
      const name = relative(context.config.rootDir, path);
      const place = LONG.findIndex((start) => name.startsWith(start));
      return place === -1 ? LONG.length : place;
    };
    return known.toSorted((left, right) => rank(left) - rank(right));
  }
};
