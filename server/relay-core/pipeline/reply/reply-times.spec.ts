import { describe, expect, it } from '@jest/globals';
import { someOptions } from '../../../../test/support/memory-ports.js';
import { ReplyTimes } from './reply-times.js';

const OPTIONS = someOptions({
  firstByteTimeoutMs: 30_000,
  idleTimeoutMs: 10_000,
  pingEnabled: true,
  pingIntervalMs: 5_000,
});

const aStream = (changes: object = {}, options = OPTIONS): ReplyTimes =>
  new ReplyTimes(0, { isStream: true, mayBeFile: false, ...changes }, options);

describe('ReplyTimes', () => {
  it('ends a stream after an hour and a whole reply after ten minutes, whatever comes', () => {
    const [stream, whole] = [aStream(), aStream({ isStream: false })];
    expect([stream.isTotalExceeded(3_599_999), stream.isTotalExceeded(3_600_000)]).toEqual([false, true]);
    expect([whole.isTotalExceeded(599_999), whole.isTotalExceeded(600_000)]).toEqual([false, true]);
  });

  it('waits for the first content of a stream from the start of the call, whatever else comes', () => {
    const times = aStream();
    times.onHead(20_000, true);
    times.onContent(25_000);
    expect([times.isIdleTooLong(29_999), times.isIdleTooLong(30_000)]).toEqual([false, true]);
    times.firstContentMs = 29_000;
    times.onContent(29_000);
    expect([times.isIdleTooLong(38_999), times.isIdleTooLong(39_000)]).toEqual([false, true]);
  });

  it('waits for more of a whole reply from what came last', () => {
    const times = aStream({ isStream: false });
    times.onHead(20_000, false);
    expect([times.isIdleTooLong(29_999), times.isIdleTooLong(30_000)]).toEqual([false, true]);
    times.onContent(29_000);
    expect([times.isIdleTooLong(38_999), times.isIdleTooLong(39_000)]).toEqual([false, true]);
  });

  it('waits five seconds for the sentence of a failure, and pings no more', () => {
    const times = aStream();
    times.failureCame(1_000);
    expect([times.isIdleTooLong(5_999), times.isIdleTooLong(6_000)]).toEqual([false, true]);
    expect(times.isPingDue(1e9, 0)).toBe(false);
  });

  it('pings a stream that was silent for the interval since whatever was written or looked at last', () => {
    const times = aStream();
    expect([times.isPingDue(4_999, 0), times.isPingDue(5_000, 0)]).toEqual([false, true]);
    expect(times.isPingDue(5_000, 1)).toBe(false);
    times.pingLooked(5_000);
    expect([times.isPingDue(9_999, 0), times.isPingDue(10_000, 0)]).toEqual([false, true]);
  });

  it.each([
    ['that is switched off', {}, { pingEnabled: false }],
    ['in a whole reply', { isStream: false }, {}],
    ['in what may turn out to be a file', { mayBeFile: true }, {}],
  ])('never owes a ping %s', (_where, asked, options) => {
    expect(aStream(asked, { ...OPTIONS, ...options }).isPingDue(1e9, 0)).toBe(false);
  });

  it('sends a ping in a stream that could have been a file once it is known to be none', () => {
    const times = aStream({ mayBeFile: true });
    times.onHead(1_000, true);
    expect([times.isPingDue(5_999, 0), times.isPingDue(6_000, 0)]).toEqual([false, true]);
  });

  it('looks again at the nearest deadline, at a stream every second, and never at once', () => {
    const times = aStream();
    expect(times.untilNextCheck(1_000, 0)).toBe(4_000);
    expect(times.untilNextCheck(60_000, 0)).toBe(1);
    times.onHead(1_000, true);
    expect(times.untilNextCheck(1_000, 0)).toBe(1_000);
    expect(aStream({ isStream: false }).untilNextCheck(0, 0)).toBe(30_000);
  });
});
