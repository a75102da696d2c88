import { getOrAdd } from '../../../common/get-or-add.js';
import { foldTable, LETTER, REMOVED, SPECIAL } from './fold-text.js';

interface Node {
  readonly number: number;
  /** Next states by unit of UTF-16. */
  readonly next: Map<number, Node>;
  fallback: Node | null;
  /** Number of the shortest word that ends here; -1 = none. */
  word: number;
}

/** Largest table of transitions, in entries of four bytes; a longer list is walked node by node. */
const MAX_TABLE = 1 << 20;
const MIXED = LETTER.latin | LETTER.confusable;

/** Finds words in a walk over a text however many words there are (Aho–Corasick), so that no list and no text can block the process. */
class Automaton {
  private readonly nodes: Node[] = [];
  private readonly root = this.newNode();
  /** Number of a unit among those that words have; 0 = no word has it. */
  private readonly classes = new Uint16Array(0x1_0000);
  /** The units by their number, from 1 on. */
  private readonly unitsOf: number[] = [0];
  /** The next node by node and class; empty = the list is too long for it. */
  private table = new Int32Array(0);
  private readonly words: Int32Array;

  /** @param words  folded; with their numbers in the list */
  constructor(words: readonly (readonly [word: string, number: number])[]) {
    for (const [word, number] of words) this.add(word, number);
    this.link();
    this.words = Int32Array.from(this.nodes, ({ word }) => word);
    this.fillTable();
  }

  /** The node that a unit leads to from another one; node 0 is the start. */
  step(from: number, unit: number): number {
    const number = this.classes[unit] as number;
    if (number === 0) return 0;
    const { table } = this;
    if (table.length > 0) return table[from * this.unitsOf.length + number] as number;
    return this.stepInList(this.nodes[from] as Node, unit).number;
  }

  /** Number of the word that ends at a node; -1 = none. */
  wordAt(node: number): number {
    return this.words[node] as number;
  }

  /** Same as `step`; below 0 a word ends there: -1 - its number. */
  next(from: number, unit: number): number {
    const node = this.step(from, unit);
    const word = this.words[node] as number;
    return word === -1 ? node : -1 - word;
  }

  /** Same as `next`, over a folded text: the first word found ends the walk. */
  walk(from: number, folded: string): number {
    let node = from;
    for (let at = 0; at < folded.length && node >= 0; at += 1) node = this.next(node, folded.charCodeAt(at));
    return node;
  }

  private newNode(): Node {
    const node: Node = { number: this.nodes.length, next: new Map(), fallback: null, word: -1 };
    this.nodes.push(node);
    return node;
  }

  private stepInList(from: Node, unit: number): Node {
    let node: Node | null = from;
    while (node !== null) {
      const next = node.next.get(unit);
      if (next !== undefined) return next;
      node = node.fallback;
    }
    return this.root;
  }

  private add(word: string, number: number): void {
    if (word === '') return;
    let node = this.root;
    for (let at = 0; at < word.length; at += 1) {
      const unit = word.charCodeAt(at);
      if (this.classes[unit] === 0) this.classes[unit] = this.unitsOf.push(unit) - 1;
      node = getOrAdd(node.next, unit, () => this.newNode());
    }
    if (node.word === -1) node.word = number;
  }

  /** Breadth first: where a walk goes on when a word breaks off. */
  private link(): void {
    const queue: Node[] = [this.root];
    // The list grows while it is walked.
    for (const node of queue) {
      for (const [unit, child] of node.next) {
        child.fallback = node === this.root ? this.root : this.stepInList(node.fallback ?? this.root, unit);
        if (child.word === -1) child.word = child.fallback.word;
        queue.push(child);
      }
    }
  }

  private fillTable(): void {
    const { nodes, unitsOf } = this;
    if (nodes.length * unitsOf.length > MAX_TABLE) return;
    const table = new Int32Array(nodes.length * unitsOf.length);
    for (const node of nodes)
      for (let number = 1; number < unitsOf.length; number += 1)
        table[node.number * unitsOf.length + number] = this.stepInList(
          node,
          unitsOf[number] as number,
        ).number;
    this.table = table;
  }
}

/**
 * Finds an operator's words in prompts. Both sides are folded (fold-text.ts): compatibility forms, case, characters that draw nothing and
 * combining ones. A character of another script counts as the Latin one it is drawn like in words that mix the scripts, and only there.
 */
export class WordFilter {
  private readonly plain: Automaton;
  /** The words with confusable letters read as Latin ones, where that changes them: for words of a prompt that mix scripts. */
  private readonly mixed: Automaton;
  /** Characters of the words that may be written as a plain letter and a mark: a text that has such a mark is read composed, too. */
  private readonly composed: ComposedLetters;

  constructor(words: readonly string[]) {
    const trimmed = words.map((word, number) => [word.trim().normalize('NFKC'), number] as const);
    const folded = trimmed.map(([word, number]) => [foldText(word), latinText(word), number] as const);
    this.plain = new Automaton(folded.map(([word, , number]) => [word, number]));
    this.mixed = new Automaton(
      folded.filter(([word, latin]) => latin !== word).map(([, latin, number]) => [latin, number]),
    );
    this.composed = new ComposedLetters(trimmed.map(([word]) => word));
  }

  /** Number of the first word found, as it stands in the list; -1 = none. */
  find(text: string): number {
    const first = new Walk(text, this.plain, this.mixed, this.composed.marks);
    const word = first.run();
    return word !== -1 || !first.composes ? word : this.findComposed(text);
  }

  private findComposed(text: string): number {
    const { plain, composed } = this;
    const folding = foldTable();
    let node = 0;
    for (let at = 0; at < text.length; at += 1) {
      let folded = folding.units[text.charCodeAt(at)] as number;
      if (folded === REMOVED) continue;
      if (folded === SPECIAL) {
        node = plain.walk(node, folding.foldedAt(text, at));
        at += lengthAt(text, at) - 1;
      } else {
        for (let whole = composed.with(folded, text, at + 1); whole !== 0;) {
          folded = whole;
          at += 1;
          whole = composed.with(folded, text, at + 1);
        }
        node = plain.step(node, folded);
        if (plain.wordAt(node) !== -1) return plain.wordAt(node);
      }
      if (node < 0) return -1 - node;
    }
    return -1;
  }
}

/** Half-width marks, which compatibility makes the full ones. */
const HALF_WIDTH: ReadonlyMap<string, string> = new Map([
  ['\u3099', '\uff9e'],
  ['\u309a', '\uff9f'],
]);

/** Composed characters of a list of words, by the plain one and the mark that they may be written with. */
class ComposedLetters {
  /** 1 for every unit that stands behind a plain letter. */
  readonly marks = new Uint8Array(0x1_0000);
  private readonly letters = new Map<number, number>();

  constructor(words: readonly string[]) {
    for (const letter of new Set(words.flatMap((word) => [...foldText(word)]))) this.add(letter);
  }

  /** The folded character that a folded one becomes with the mark at a place; 0 = none. */
  with(letter: number, text: string, at: number): number {
    const mark = text.charCodeAt(at);
    return this.marks[mark] === 1 ? (this.letters.get(letter * 0x1_0000 + mark) ?? 0) : 0;
  }

  private add(letter: string): void {
    const [first = '', ...marks] = letter.normalize('NFD');
    let plain = first;
    for (const mark of marks) {
      const whole = (plain + mark).normalize('NFC');
      if (whole.length !== 1 || plain.length !== 1) return;
      for (const form of [mark, HALF_WIDTH.get(mark) ?? mark]) {
        this.marks[form.charCodeAt(0)] = 1;
        this.letters.set(plain.charCodeAt(0) * 0x1_0000 + form.charCodeAt(0), whole.charCodeAt(0));
      }
      plain = whole;
    }
  }
}

/** One walk over a text. Words that mix scripts are walked a second time, with their confusable letters read as Latin ones. */
class Walk {
  composes = false;
  private readonly folding = foldTable();
  /** The node at which the word began. */
  private startNode = 0;
  /** The same of the reading with Latin letters; another one only behind a word that mixes scripts. */
  private latinNode = 0;
  private found = -1;

  constructor(
    private readonly text: string,
    private readonly plain: Automaton,
    private readonly mixed: Automaton,
    private readonly marks: Uint8Array,
  ) {}

  /** Number of the first word found; -1 = none. */
  run(): number {
    const { text, plain, folding, marks } = this;
    const { units, kinds } = folding;
    let node = 0;
    let from = 0;
    let scripts = 0;
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at);
      const folded = units[unit] as number;
      let kind = kinds[unit] as number;
      if (folded === SPECIAL) {
        const special = folding.specialAt(text, at);
        node = plain.walk(node, special?.text ?? text.charAt(at));
        if (node < 0) return -1 - node;
        kind = special?.kind ?? 0;
        if (unit >= 0xd800 && unit <= 0xdbff && special !== undefined) at += 1;
      } else if (folded !== REMOVED) {
        node = plain.step(node, folded);
        if (plain.wordAt(node) !== -1) return plain.wordAt(node);
      }
      scripts |= kind;
      if ((kind & LETTER.composes) !== 0 && marks[unit] === 1) this.composes = true;
      if (kind !== 0) continue;
      this.endWord(from, at + 1, { scripts, node });
      if (this.found !== -1) return this.found;
      from = at + 1;
      scripts = 0;
    }
    this.endWord(from, text.length, { scripts, node });
    return this.found;
  }

  private endWord(from: number, to: number, word: { readonly scripts: number; readonly node: number }): void {
    const isMixed = (word.scripts & MIXED) === MIXED;
    if (!isMixed && this.latinNode === this.startNode) this.latinNode = word.node;
    else this.readAgain(from, to, isMixed);
    this.startNode = word.node;
  }

  /** Walks a word as the reading with Latin letters has it. */
  private readAgain(from: number, to: number, isMixed: boolean): void {
    const { text, plain, mixed, folding } = this;
    const table = isMixed ? folding.latin : folding.units;
    let node = this.latinNode;
    let disguised = 0;
    for (let at = from; at < to; at += 1) {
      const unit = table[text.charCodeAt(at)] as number;
      if (unit === SPECIAL) {
        const letters = isMixed ? folding.latinAt(text, at) : folding.foldedAt(text, at);
        node = plain.walk(node, letters);
        disguised = isMixed ? mixed.walk(disguised, letters) : 0;
        at += lengthAt(text, at) - 1;
      } else if (unit !== REMOVED) {
        node = plain.next(node, unit);
        disguised = isMixed ? mixed.next(disguised, unit) : 0;
      }
      if (node < 0 || disguised < 0) {
        this.found = -1 - (node < 0 ? node : disguised);
        return;
      }
    }
    this.latinNode = node;
  }
}

const foldText = (text: string): string => mapped(text, (at) => foldTable().foldedAt(text, at));
const latinText = (text: string): string => mapped(text, (at) => foldTable().latinAt(text, at));

/** Units of the character at a place. */
const lengthAt = (text: string, at: number): number => ((text.codePointAt(at) ?? 0) >= 0x1_0000 ? 2 : 1);

function mapped(text: string, of: (at: number) => string): string {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += lengthAt(text, at)) pieces.push(of(at));
  return pieces.join('');
}

const compiled = new WeakMap<readonly string[], WordFilter>();

/** The filter of a word list; compiled once per list, which a change of options replaces. */
export function wordFilterOf(words: readonly string[]): WordFilter {
  return getOrAdd(compiled, words, () => new WordFilter(words));
}
