import { describe, expect, it } from '@jest/globals';
import { commandArguments } from './command-arguments.js';

describe('words of a command', () => {
  it('reads those it knows, with or without the dashes before them', () => {
    expect([...commandArguments(['--running', '--logs'], ['--', '--logs'])]).toEqual(['--logs']);
    expect([...commandArguments(['--revert'], [])]).toEqual([]);
  });

  it('refuses others: a mistyped one must not do the opposite', () => {
    expect(() => commandArguments(['--revert'], ['--revrt'])).toThrow(
      'unknown word --revrt; there is --revert',
    );
    expect(() => commandArguments(['--running', '--logs'], ['x'])).toThrow('there are --running and --logs');
  });
});
