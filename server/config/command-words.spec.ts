import { describe, expect, it } from '@jest/globals';
import { commandWords } from './command-words.js';

describe('words of a command', () => {
  it('reads those it knows, with or without the dashes before them', () => {
    expect([...commandWords(['--running', '--logs'], ['--', '--logs'])]).toEqual(['--logs']);
    expect([...commandWords(['--revert'], [])]).toEqual([]);
  });

  it('refuses others: a mistyped one must not do the opposite', () => {
    expect(() => commandWords(['--revert'], ['--revrt'])).toThrow('unknown word --revrt; there is --revert');
    expect(() => commandWords(['--running', '--logs'], ['x'])).toThrow('there are --running and --logs');
  });
});
