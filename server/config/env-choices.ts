import { z } from 'zod';

/** One of a few words. Fails with a sentence that names them. */
export const oneOf = <const T extends readonly [string, ...string[]]>(words: T) =>
  z.enum(words, `must be ${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}`);

export const yesOrNo = oneOf(['true', 'false']);
