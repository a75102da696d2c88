/** Names that look official. Set-up and administrators may use them; all other accounts may not have one that reads like them. */
const OFFICIAL_NAMES = [
  'root',
  'admin',
  'administrator',
  'system',
  'superuser',
  'support',
  'tollgate',
  'moderator',
  'security',
  'null',
  'undefined',
  'anonymous',
  'guest',
];

/** Characters of other scripts, and digits, that are drawn like a Latin letter (Unicode TR 39, those used in names). */
const CONFUSABLES: Readonly<Record<string, string>> = {
  а: 'a',
  в: 'b',
  с: 'c',
  ԁ: 'd',
  е: 'e',
  ғ: 'f',
  ɡ: 'g',
  һ: 'h',
  н: 'h',
  і: 'i',
  ӏ: 'l',
  ј: 'j',
  к: 'k',
  м: 'm',
  ո: 'n',
  п: 'n',
  о: 'o',
  р: 'p',
  ԛ: 'q',
  г: 'r',
  ѕ: 's',
  т: 't',
  ս: 'u',
  ѵ: 'v',
  ԝ: 'w',
  х: 'x',
  у: 'y',
  α: 'a',
  β: 'b',
  ϲ: 'c',
  ε: 'e',
  η: 'n',
  ι: 'i',
  κ: 'k',
  ν: 'v',
  ο: 'o',
  ρ: 'p',
  σ: 'o',
  τ: 't',
  υ: 'u',
  χ: 'x',
  γ: 'y',
  ı: 'i',
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ʀ: 'r',
  ᴀ: 'a',
  ᴅ: 'd',
  ᴇ: 'e',
  ɪ: 'i',
  ʟ: 'l',
  ᴍ: 'm',
  ɴ: 'n',
  ᴏ: 'o',
  ᴘ: 'p',
  ꜱ: 's',
  ᴛ: 't',
  ᴜ: 'u',
  ᴠ: 'v',
  ʏ: 'y',
  '0': 'o',
  '1': 'l',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  $: 's',
  '@': 'a',
  '!': 'l',
  '|': 'l',
};

/**
 * Visual skeleton of a name: without case, width, accents, dots, dashes and blanks, and with confusable characters made one. Names
 * with the same skeleton are hard to distinguish.
 */
export function skeletonOf(name: string): string {
  const letters = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}$@!|]/gu, '');
  const drawn = Array.from(letters, (letter) => CONFUSABLES[letter] ?? letter).join('');
  return drawn.replaceAll('i', 'l').replaceAll('rn', 'm').replaceAll('vv', 'w').replaceAll('cl', 'd');
}

const OFFICIAL_SKELETONS = new Set(OFFICIAL_NAMES.map(skeletonOf));

export const isConfusableWithOfficial = (name: string): boolean => OFFICIAL_SKELETONS.has(skeletonOf(name));
