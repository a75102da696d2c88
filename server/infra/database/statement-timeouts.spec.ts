import { beforeEach, describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { StatementTimeouts } from './statement-timeouts.js';

describe('waiting for a database', () => {
  let clock: FakeClock;
  let answers: number;
  let watch: StatementTimeouts;
  let isCrowded: boolean;
  let turns: number;
  let late: string[];
  const passAnswered = (durationMs: number): void => {
    for (let passedMs = 0; passedMs < durationMs; passedMs += 100) {
      answers += 1;
      clock.advance(100);
    }
  };
  const begin = (name: string): (() => void) => watch.begin(() => late.push(name));

  beforeEach(() => {
    clock = new FakeClock();
    answers = 0;
    isCrowded = true;
    turns = 0;
    late = [];
    watch = new StatementTimeouts(
      clock,
      () => answers,
      500,
      () => isCrowded,
      () => turns,
    );
  });

  it('ends once after half a second without any answer', () => {
    begin('a');
    clock.advance(499);
    expect(late).toEqual([]);
    clock.advance(10_000);
    expect(late).toEqual(['a']);
    expect(clock.timers).toBe(0);
  });

  it('continues while others are answered, up to five seconds', () => {
    begin('a');
    passAnswered(4_900);
    expect(late).toEqual([]);
    passAnswered(100);
    expect(late).toEqual(['a']);
  });

  it('continues while turns of a burst end, up to half a minute', () => {
    begin('a');
    for (let passedMs = 0; passedMs < 28_000; passedMs += 4_000) {
      passAnswered(4_000);
      turns += 1;
    }
    passAnswered(1_900);
    expect(late).toEqual([]);
    passAnswered(100);
    expect(late).toEqual(['a']);
  });

  it('ends five seconds after the last turn of a crowd', () => {
    begin('a');
    passAnswered(4_000);
    turns += 1;
    passAnswered(5_000);
    expect(late).toEqual([]);
    passAnswered(100);
    expect(late).toEqual(['a']);
  });

  it('waits 1.5 s when no other statement is queued', () => {
    begin('a');
    isCrowded = false;
    passAnswered(1_400);
    expect(late).toEqual([]);
    passAnswered(100);
    expect(late).toEqual(['a']);
  });

  it('begins to count anew with every answer', () => {
    begin('a');
    clock.advance(400);
    answers += 1;
    clock.advance(500);
    expect(late).toEqual([]);
    clock.advance(100);
    expect(late).toEqual(['a']);
  });

  it('does not take a process that was too busy to look for a silent database', () => {
    const busy = new (class extends FakeClock {
      /** Timers fire when the process has time. */
      override after(delayMs: number, action: () => void): () => void {
        return super.after(delayMs * 4, action);
      }
    })();
    watch = new StatementTimeouts(
      busy,
      () => answers,
      500,
      () => isCrowded,
      () => turns,
    );
    begin('a');
    busy.advance(4_800);
    expect(late).toEqual([]);
    busy.advance(400);
    expect(late).toEqual(['a']);
  });

  it('leaves nothing behind without a waiter', () => {
    const ends = [begin('a'), begin('b')];
    for (const end of ends) end();
    expect(clock.timers).toBe(0);
    clock.advance(10_000);
    expect(late).toEqual([]);
  });
});
