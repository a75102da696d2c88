import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { ReconnectCheck } from './rollback-watch.js';

const turn = (): Promise<void> => new Promise((next) => setImmediate(next));

/** A database whose checks the test ends. */
function someCheck() {
  const clock = new FakeClock();
  const state = { isInDoubt: false, looks: 0 };
  const ends: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const check = new ReconnectCheck({
    clock,
    look: () => {
      state.looks += 1;
      return new Promise((resolve, reject) => ends.push({ resolve, reject }));
    },
    isInDoubt: () => state.isInDoubt,
    lookAgainMs: 1_000,
  });
  const end = async (error?: Error): Promise<void> => {
    const look = ends.shift();
    if (error === undefined) look?.resolve();
    else look?.reject(error);
    await turn();
  };
  const waiting = () => {
    const call = { isOver: false };
    const wait = check.wait();
    if (wait === undefined) call.isOver = true;
    else void wait.then(() => (call.isOver = true));
    return call;
  };
  return { check, clock, state, end, waiting };
}

describe('ReconnectCheck', () => {
  it('keeps no call waiting while no connection changes', () => {
    const { check, state } = someCheck();
    expect(check.wait()).toBeUndefined();
    expect(state.looks).toBe(0);
  });

  it('checks when a connection is opened, and keeps calls waiting until then', async () => {
    const { check, state, end, waiting } = someCheck();
    check.onOpened();
    const calls = [waiting(), waiting()];
    await turn();
    expect(calls).toEqual([{ isOver: false }, { isOver: false }]);
    await end();
    expect(calls).toEqual([{ isOver: true }, { isOver: true }]);
    expect(state.looks).toBe(1);
    expect(check.wait()).toBeUndefined();
  });

  it('checks at the first call after a connection was lost', async () => {
    const { check, state, end, waiting } = someCheck();
    check.onLost();
    expect(state.looks).toBe(0);
    const call = waiting();
    await end();
    expect([call.isOver, state.looks]).toEqual([true, 1]);
  });

  it('checks again for connections opened during a check, three times at most', async () => {
    const { check, state, end, waiting } = someCheck();
    check.onOpened();
    const call = waiting();
    for (let look = 0; look < 3; look += 1) {
      check.onOpened();
      await end();
    }
    expect([call.isOver, state.looks]).toEqual([true, 3]);
  });

  it('checks again when a check was given a closing connection', async () => {
    const { check, clock, state, end, waiting } = someCheck();
    check.onOpened();
    const call = waiting();
    await end(new Error('Connection lost'));
    clock.advance(250);
    await turn();
    expect([call.isOver, state.looks]).toEqual([false, 2]);
    await end();
    expect(call.isOver).toBe(true);
  });

  it('keeps calls waiting while it is in doubt whether something is missing', async () => {
    const { check, clock, state, end, waiting } = someCheck();
    check.onOpened();
    state.isInDoubt = true;
    await end();
    const call = waiting();
    clock.advance(1_000);
    await turn();
    expect([call.isOver, state.looks]).toEqual([false, 2]);
    state.isInDoubt = false;
    await end();
    expect(call.isOver).toBe(true);
  });

  it('lets calls go on while the database is away, or gives no answer for two seconds', async () => {
    const { check, clock, end, waiting } = someCheck();
    check.onLost();
    const call = waiting();
    for (let look = 0; look < 3; look += 1) {
      expect(call.isOver).toBe(false);
      await end(new Error('away'));
      clock.advance(250);
      await turn();
    }
    expect([call.isOver, check.wait()]).toEqual([true, undefined]);
    check.onOpened();
    const late = waiting();
    clock.advance(2_000);
    await turn();
    expect([late.isOver, check.wait()]).toEqual([true, undefined]);
  });

  it('keeps no call longer than eight seconds in doubt', async () => {
    const { check, clock, state, end, waiting } = someCheck();
    check.onOpened();
    state.isInDoubt = true;
    await end();
    const call = waiting();
    for (let second = 0; second < 8; second += 1) {
      clock.advance(1_000);
      await turn();
      await end();
    }
    expect([call.isOver, check.wait()]).toEqual([true, undefined]);
  });
});
