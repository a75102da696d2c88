import { getOrAdd } from '../../../common/get-or-add.js';
interface Node {
  /** By unit of UTF-16. */
  readonly next: Map<number, Node>;
  fallback: Node | null;
  /** Number of the shortest word that ends here; -1 = none. */
  word: number;
}

const newNode = (): Node => ({ next: new Map(), fallback: null, word: -1 });

/**
 * Finds operator's words in prompts, ignoring case: one walk over the text however many words there are
 * (Aho–Corasick), so that no list and no prompt can hold the process up.
 */
export class WordFilter {
  private readonly root = newNode();
  /** Units a word begins with: nearly every unit of a text is passed by on this alone. */
  private readonly beginnings = new Uint8Array(0x10000);

  constructor(words: readonly string[]) {
    for (const [number, word] of words.entries()) this.add(word.trim().toLowerCase(), number);
    this.link();
  }

  /** Number of the first word found, as it stands in the list; -1 = none. */
  find(text: string): number {
    const { root, beginnings } = this;
    const lower = text.toLowerCase();
    let node = root;
    for (let at = 0; at < lower.length; at += 1) {
      const unit = lower.charCodeAt(at);
      if (node === root && beginnings[unit] === 0) continue;
      node = this.step(node, unit);
      if (node.word !== -1) return node.word;
    }
    return -1;
  }

  private step(from: Node, unit: number): Node {
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
    this.beginnings[word.charCodeAt(0)] = 1;
    for (let at = 0; at < word.length; at += 1) {
      const unit = word.charCodeAt(at);
      const next = getOrAdd(node.next, unit, () => newNode());
      node = next;
    }
    if (node.word === -1) node.word = number;
  }

  /** Breadth first: where a walk goes on when a word breaks off. */
  private link(): void {
    const queue: Node[] = [this.root];
    // The list grows while it is walked.
    for (const node of queue) {
      for (const [unit, child] of node.next) {
        child.fallback = node === this.root ? this.root : this.step(node.fallback ?? this.root, unit);
        if (child.word === -1) child.word = child.fallback.word;
        queue.push(child);
      }
    }
  }
}

const compiled = new WeakMap<readonly string[], WordFilter>();

/** The filter of a word list; compiled once per list, which a change of options replaces. */
export function wordFilterOf(words: readonly string[]): WordFilter {
  return getOrAdd(compiled, words, () => new WordFilter(words));
}
