import { Marked, type Token } from 'marked';
import remend from 'remend';

/** `$$…$$`, the one form `withFormulas` leaves. */
const FORMULA = /^\$\$([\s\S]+?)\$\$/;

/** A text that is one block of code, closed or not. */
const OPEN_CODE = /^ {0,3}(?:`{3,}|~{3,})/;

const formula = (level: 'block' | 'inline') => ({
  name: 'formula',
  level,
  // A block begins a line: a formula inside one does not cut its paragraph.
  start: (text: string) => {
    const index = level === 'block' ? text.indexOf('\n$$') : text.indexOf('$$');
    return index === -1 ? undefined : index + (level === 'block' ? 1 : 0);
  },
  tokenizer: (text: string) => {
    const found = FORMULA.exec(text);
    if (found === null) return undefined;
    const [raw, source = ''] = found;
    if (level === 'block' && !/^[ \t]*(?:\n|$)/.test(text.slice(raw.length))) return undefined;
    return {
      type: 'formula',
      raw,
      text: source.trim(),
      isBlock: level === 'block' || source.startsWith('\n'),
    };
  },
});

const markdown = new Marked(
  { gfm: true, breaks: true },
  { extensions: [formula('block'), formula('inline')] },
);

/**
 * Blocks of a Markdown text.
 * @param isOpen  the text is still arriving: what it opened and did not close yet is closed for now
 * @param definitions  link definitions that stand elsewhere
 */
export function splitBlocks(text: string, isOpen: boolean, definitions = ''): readonly Token[] {
  // Code is closed by its end, and closing the rest reads all of it many times.
  const closed = isOpen && !OPEN_CODE.test(text) ? remend(text) : text;
  const whole = definitions === '' ? closed : `${definitions}\n\n${closed}`;
  return markdown.lexer(whole).filter(({ type }) => type !== 'space' && type !== 'def');
}
