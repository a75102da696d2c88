/**
 * Characters that are drawn like a Latin letter, by that letter: confusables of Unicode TR 39 in Cyrillic, Greek, Armenian, Coptic, Cherokee
 * and Lisu, and Latin small capitals and phonetic forms, which compatibility does not fold.
 */
const LOOKS: Readonly<Record<string, string>> = {
  a: 'аАαΑᴀɑꓮᎪⲁⲀ',
  b: 'вВβΒЬьʙꓐᏴᏼϐⲃⲂ',
  c: 'сСϲϹᴄꓚᏟⲥⲤ',
  d: 'ԁԀᴅꓓᎠժ',
  e: 'еЕεΕэёЁᴇɛꓰᎬⲉҽ',
  f: 'ғҒϝϜꜰꓝք',
  g: 'ɡɢԍԌցꓖᏀ',
  h: 'һҺнНηΗʜհꓧᎻⲏ',
  i: 'іІιΙıɪїЇꓲᎥ',
  j: 'јЈϳᴊյꓙᎫ',
  k: 'кКκΚᴋꓗᏦⲕ',
  l: 'ӏӀʟꓡᏞլ',
  m: 'мМΜᴍꓟᎷⲙ',
  n: 'пПΝɴոռꓠⲛ',
  o: 'оОοΟσᴏօՕꓳⲟ',
  p: 'рРρΡᴘꓑᏢⲣ',
  q: 'ԛԚգզ',
  r: 'гГʀꓣᎡᏒ',
  s: 'ѕЅꜱꓢᏚՏ',
  t: 'тТτΤᴛꓔᎢⲧ',
  u: 'υսՍᴜцꓴ',
  v: 'ѵѴνᴠꓦᏙ',
  w: 'ԝԜωᴡшꓪᎳա',
  x: 'хХχΧꓫⲭ',
  y: 'уУγΥʏүҮꓬᎩⲩ',
  z: 'ᴢΖʐꓜᏃⲍ',
};

/** Latin letter by the letter drawn like it. */
export const LATIN_LOOKS: ReadonlyMap<string, string> = new Map(
  Object.entries(LOOKS).flatMap(([latin, letters]) =>
    Array.from(letters, (letter) => [letter, latin] as const),
  ),
);
