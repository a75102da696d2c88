import { LATIN_LOOKS } from './latin-looks.js';

/** A unit that draws nothing or sits on another: it is left out. */
export const REMOVED = 0;
/** A unit whose folded form has several units, or that is half of a pair. */
export const SPECIAL = 0xffff;

/** Meanings of a unit for the scripts of its word; 0 = it ends a word. */
export const LETTER = { latin: 1, confusable: 2, other: 4, composes: 8 } as const;

const IGNORED = /[\p{M}\p{Default_Ignorable_Code_Point}\p{Cf}]|(?![\t\n\r])\p{Cc}/gu;
const MARK = /\p{M}/u;
const LATIN = /\p{Script=Latin}/u;
const WORD_PART = /[\p{L}\p{N}\p{M}_'’]|\p{Default_Ignorable_Code_Point}/u;
/** Chinese and Japanese are written without blanks: a word of another script begins and ends beside them. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Units of one character of these are their own folded form, and end words: nothing need be computed for them. */
const PLAIN_RANGES: readonly (readonly [first: number, last: number])[] = [
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xac00, 0xd7a3],
  [0xe000, 0xf8ff],
];
/** Conjoining Jamo of Korean: they compose without being marks. */
const JAMO = /[\u1100-\u11ff]/;

interface Folded {
  readonly text: string;
  readonly kind: number;
  /** With a confusable letter read as the Latin one. */
  readonly latin: string;
}

/**
 * One character with compatibility forms, case and width folded; empty = it is left out. Latin small capitals and phonetic letters, which
 * compatibility does not fold, count as the plain letters.
 */
export function foldCharacter(character: string): string {
  const lower = character.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');
  const bare = lower.replaceAll(IGNORED, '');
  const look = LATIN.test(bare) ? LATIN_LOOKS.get(bare) : undefined;
  return look ?? bare;
}

function fold(character: string): Folded {
  const text = foldCharacter(character);
  const composed = character.normalize('NFKC');
  // Some capitals look like another letter than their small ones do.
  const look = LATIN.test(composed) ? undefined : (LATIN_LOOKS.get(composed) ?? LATIN_LOOKS.get(text));
  return { text, latin: look ?? text, kind: kindOf(character, composed, look !== undefined) };
}

function kindOf(character: string, composed: string, isConfusable: boolean): number {
  if (MARK.test(composed)) return LETTER.other | LETTER.composes;
  if (JAMO.test(character)) return LETTER.composes;
  if (UNSPACED.test(composed) || !WORD_PART.test(composed)) return 0;
  if (LATIN.test(composed)) return LETTER.latin;
  return isConfusable ? LETTER.confusable : LETTER.other;
}

/** Folded forms of all units, made when the first filter is. */
class FoldTable {
  readonly units = new Uint16Array(0x1_0000);
  readonly kinds = new Uint8Array(0x1_0000);
  private readonly special = new Map<number, Folded>();
  /** The units of `units`, with a confusable letter read as the Latin one. */
  readonly latin = new Uint16Array(0x1_0000);
  /** Characters beyond the basic plane, 256 of them at a time when one is met. */
  private readonly blocks = new Map<number, readonly Folded[]>();

  constructor() {
    let plain = 0;
    for (let unit = 0; unit < 0x1_0000; unit += 1) {
      const range = PLAIN_RANGES[plain];
      if (range !== undefined && unit === range[0]) {
        for (; unit <= range[1]; unit += 1) this.units[unit] = this.latin[unit] = unit;
        plain += 1;
      }
      if (unit >= 0xd800 && unit <= 0xdfff) this.units[unit] = this.latin[unit] = SPECIAL;
      else this.add(unit);
    }
  }

  private add(unit: number): void {
    const folded = fold(String.fromCharCode(unit));
    this.kinds[unit] = folded.kind;
    if (folded.text.length === 1) this.units[unit] = folded.text.charCodeAt(0);
    else if (folded.text === '') this.units[unit] = REMOVED;
    else {
      this.units[unit] = SPECIAL;
      this.special.set(unit, folded);
    }
    this.latin[unit] = folded.latin.length === 1 ? folded.latin.charCodeAt(0) : (this.units[unit] as number);
  }

  /** The folded form at a special unit. @returns undefined for half of a pair without its other half */
  specialAt(text: string, at: number): Folded | undefined {
    const unit = text.charCodeAt(at);
    if (unit < 0xd800 || unit > 0xdfff) return this.special.get(unit);
    const code = text.codePointAt(at) as number;
    if (code < 0x1_0000) return undefined;
    if (!mayFold(code)) return plainOf(code);
    const block = code >> 8;
    let folded = this.blocks.get(block);
    if (folded === undefined) {
      folded = Array.from({ length: 256 }, (_, index) => fold(String.fromCodePoint((block << 8) + index)));
      this.blocks.set(block, folded);
    }
    return folded[code & 0xff];
  }

  /** The folded form of the character at a place. */
  foldedAt(text: string, at: number): string {
    const unit = text.charCodeAt(at);
    const folded = this.units[unit] as number;
    if (folded === SPECIAL) return this.specialAt(text, at)?.text ?? text.charAt(at);
    return folded === REMOVED ? '' : String.fromCharCode(folded);
  }

  /** Same as `foldedAt`, with a confusable letter read as the Latin one. */
  latinAt(text: string, at: number): string {
    const latin = this.latin[text.charCodeAt(at)] as number;
    if (latin === SPECIAL) return this.specialAt(text, at)?.latin ?? text.charAt(at);
    return latin === REMOVED ? '' : String.fromCharCode(latin);
  }
}

/** Planes that have cased characters, compatibility forms, marks, and characters that draw nothing. */
const mayFold = (code: number): boolean =>
  code < 0x2_0000 || (code >= 0x2_f800 && code < 0x2_fb00) || code >> 16 === 0xe;

function plainOf(code: number): Folded {
  const text = String.fromCodePoint(code);
  return { text, latin: text, kind: 0 };
}

let table: FoldTable | undefined;
/** The table of this process; the first call takes some 50 ms. */
export const foldTable = (): FoldTable => (table ??= new FoldTable());
