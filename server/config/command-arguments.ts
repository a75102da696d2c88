/**
 * Arguments behind a command's name. The `--` that ends npm's own arguments may be left in.
 * Fails: throws Error for a word that is not known: `--revrt` must not be taken for nothing at all.
 */
export function commandArguments(
  known: readonly string[],
  given: readonly string[] = process.argv.slice(2),
): ReadonlySet<string> {
  const words = given.filter((word) => word !== '--');
  const unknown = words.find((word) => !known.includes(word));
  if (unknown === undefined) return new Set(words);
  const choice =
    known.length === 0
      ? 'there are none'
      : `there ${known.length === 1 ? 'is' : 'are'} ${known.join(' and ')}`;
  throw new Error(`unknown word ${unknown}; ${choice}`);
}
