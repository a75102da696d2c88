import { describe, expect, it } from '@jest/globals';
import { promiseProps } from './promise-props.js';

describe('promiseProps', () => {
  it('gives every value under its name, whichever comes first', async () => {
    let resolveLate: (value: number) => void = () => undefined;
    const late = new Promise<number>((resolve) => {
      resolveLate = resolve;
    });
    const read = promiseProps({ late, early: Promise.resolve('a') });
    resolveLate(2);
    expect(await read).toEqual({ late: 2, early: 'a' });
  });

  it('fails as soon as one fails', async () => {
    const never = new Promise<number>(() => undefined);
    await expect(promiseProps({ never, broken: Promise.reject(new Error('away')) })).rejects.toThrow('away');
  });
});
