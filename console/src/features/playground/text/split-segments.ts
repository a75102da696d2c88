/** Parts of a Markdown text that are parsed each by itself. */
export interface Segments {
  /** In their order; text added at the end changes only the last one. */
  readonly sources: readonly string[];
  /** Link definitions of all parts, for those that use them; empty = none. */
  readonly definitions: string;
}

/** Opening fence, also behind the mark of a list item. */
const FENCE = /^((?:[ \t]*(?:[-+*]|\d{1,9}[.)])[ \t]+)*[ \t]*)(`{3,}(?=[^`]*$)|~{3,})/;
const INDENTED = /^(?: {4}|\t)/;
const LIST_ITEM = /^ {0,3}(?:[-+*]|\d{1,9}[.)])(?:[ \t]|$)/;
/** May become a list item by what is added to it. */
const LIST_START = /^ {0,3}(?:[-+*]|\d{1,9}[.)]?)$/;
const DEFINITION = /^ {0,3}\[[^\]]+\]:[ \t]*\S/;
/** A formula over more lines is taken for a stray sign, and the text is split again after it. */
const MAX_FORMULA_LINES = 60;

/**
 * Splits a Markdown text where no construct can reach over the seam. One pass over the lines.
 * @param isOpen  text may be added
 */
export function splitSegments(text: string, isOpen: boolean): Segments {
  const splitter = new Splitter(text);
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start);
    const next = end === -1 ? text.length : end + 1;
    splitter.read(start, text.slice(start, end === -1 ? next : end).replace(/\r$/, ''), end === -1 && isOpen);
    start = next;
  }
  return splitter.end();
}

class Splitter {
  private readonly sources: string[] = [];
  private readonly definitions: string[] = [];
  private begin = 0;
  /** Fence that is open; empty = none. */
  private fence = '';
  /** Sign that closes the open formula; empty = none. */
  private formula = '';
  private formulaLines = 0;
  private hasList = false;
  private isAfterBlank = false;
  /** The line before closed a fence outside a list. */
  private isAfterCode = false;

  constructor(private readonly text: string) {}

  /** @param isLast  the line may still grow */
  read(start: number, line: string, isLast: boolean): void {
    if (this.fence !== '') return this.readCode(line);
    if (this.formula !== '') return this.readFormula(line);
    if (line.trim() === '') {
      this.isAfterBlank = true;
      return;
    }
    const [, indent = '', found = ''] = FENCE.exec(line) ?? [];
    const fence = this.hasList || !INDENTED.test(line) ? found : '';
    if (this.isSeam(line, isLast, fence !== '' && indent.trim() === '')) this.cut(start);
    this.isAfterBlank = false;
    this.isAfterCode = false;
    this.hasList ||= LIST_ITEM.test(line);
    this.fence = fence;
    if (fence === '') this.readText(line, isLast);
  }

  end(): Segments {
    const last = this.text.slice(this.begin);
    return {
      sources: last.trim() === '' ? this.sources : [...this.sources, last],
      definitions: this.definitions.join('\n'),
    };
  }

  private isSeam(line: string, isLast: boolean, isCode: boolean): boolean {
    if (this.hasList && (LIST_ITEM.test(line) || (isLast && LIST_START.test(line)))) return false;
    // An indented line continues a list or is code.
    if (this.isAfterBlank) return !/^[ \t]/.test(line);
    return !this.hasList && (this.isAfterCode || isCode);
  }

  private cut(start: number): void {
    const source = this.text.slice(this.begin, start);
    if (source.trim() === '') return;
    this.sources.push(source);
    this.begin = start;
    this.hasList = false;
  }

  private readCode(line: string): void {
    const trimmed = line.trim();
    if (!trimmed.startsWith(this.fence) || trimmed.replaceAll(this.fence.charAt(0), '') !== '') return;
    this.fence = '';
    this.isAfterCode = !this.hasList;
  }

  private readText(line: string, isLast: boolean): void {
    if (!isLast && DEFINITION.test(line)) this.definitions.push(line);
    const plain = line.replace(/(`+)[^`]*\1/g, '');
    if ((plain.split('$$').length - 1) % 2 === 1) this.open('$$');
    else if (plain.lastIndexOf('\\[') > plain.lastIndexOf('\\]')) this.open('\\]');
  }

  private open(closing: string): void {
    this.formula = closing;
    this.formulaLines = 0;
  }

  private readFormula(line: string): void {
    this.formulaLines += 1;
    if (line.includes(this.formula) || this.formulaLines >= MAX_FORMULA_LINES) this.formula = '';
  }
}
