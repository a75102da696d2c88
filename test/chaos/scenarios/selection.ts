import { plainCrowd } from './crowd.js';
import { type Scenario, breakLine, whileFaulty } from './scenario.js';

/** Scenarios of `npm test`: one world, a crowd on a small balance, then four faults one after the other under load. */
export const selection: Scenario = {
  name: 'selection',
  row: 'F-10, F-15, F-19, F-61, F-66',
  what: 'a crowd; a worker killed; Redis flushed; one instance cut off from the database; answers to commits lost',
  isQuietAtFirst: true,
  run: async (stage) => {
    const { world, traffic } = stage;
    await plainCrowd(stage);
    await traffic.start();
    await stage.until('calls are served', () => traffic.history.count('ok') > 20, 60_000);
    await whileFaulty(stage, async () => {
      const [first] = world.instances;
      const pid = first.killWorker(0);
      await stage.until(
        'another worker took its place',
        () =>
          first.workers().length === 2 && first.workers().every((one) => one !== pid && first.hasServed(one)),
        90_000,
      );
      await world.redis.flush();
      await stage.passSeconds(1);
      await world.setLine('sql', { kind: 'reset' }, 1);
      await stage.passSeconds(2);
      await breakLine(stage, { store: 'sql', fault: { kind: 'lost-commits', share: 0.2 }, seconds: 2 });
    });
    const served = traffic.history.count('ok');
    await stage.until('calls are served again', () => traffic.history.count('ok') > served + 10, 60_000);
  },
};
