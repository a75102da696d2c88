import type { World } from '../rig/world.js';

const BUGS = /unhandled rejection|uncaught exception|TypeError|ReferenceError|RangeError/;

/** Text that must never be in a log: unhandled bugs, secrets, and unexpected deaths. */
export function faultsInLogs(world: World): string[] {
  const secrets = [
    ...world.tokens.map(({ key }) => key.replace(/^sk-/, '')),
    'upstream-key',
    's'.repeat(40),
    'c'.repeat(40),
    'correct horse battery',
    'a long enough password',
  ];
  return world.instances.flatMap((instance) => {
    const { log, name } = instance;
    const bug = log.split('\n').find((line) => BUGS.test(line));
    return [
      ...(bug === undefined ? [] : [`${name} said: ${bug.slice(0, 400)}`]),
      ...(secrets.some((secret) => log.includes(secret)) ? [`a secret is in the log of ${name}`] : []),
      ...instance.unexpectedDeaths().map((words) => `${name}: ${words}`),
      ...instance.quarantined().map((file) => `${name} put ${file} into quarantine`),
    ];
  });
}
