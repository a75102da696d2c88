import { parseJson } from './json';

/** Texts, brackets and marks of JSON, and what stands between them. */
export const JSON_TOKEN = /"(?:[^"\\\n]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** Line where a text stops being JSON: the first place no JSON text could begin like. */
export function lineOfBreak(text: string): number {
  const stack: ('{' | '[')[] = [];
  let expected: 'value' | 'name' | 'colon' | 'after' = 'value';
  let mayClose = false;
  let end = 0;
  for (const match of text.matchAll(JSON_TOKEN)) {
    const token = match[0];
    const line = lineAt(text, match.index);
    // Text that the pattern skipped is neither white space nor a token: an open quotation mark.
    const gap = text.slice(end, match.index);
    if (gap.trim() !== '') return lineAt(text, end + gap.search(/\S/));
    end = match.index + token.length;
    const isText = token.startsWith('"');
    if (isText && parseJson(token) === undefined) return line;
    if (expected === 'colon') {
      if (token !== ':') return line;
      expected = 'value';
    } else if (expected === 'name') {
      if (token === '}' && mayClose) {
        stack.pop();
        expected = 'after';
      } else if (isText) expected = 'colon';
      else return line;
      mayClose = false;
    } else if (expected === 'value') {
      if (token === '{' || token === '[') {
        stack.push(token);
        expected = token === '{' ? 'name' : 'value';
        mayClose = true;
        continue;
      }
      if (token === ']' && mayClose) stack.pop();
      else if (!isText && parseJson(token) === undefined) return line;
      expected = 'after';
      mayClose = false;
    } else if (token === ',' && stack.length > 0) expected = stack.at(-1) === '{' ? 'name' : 'value';
    else if (token === '}' && stack.at(-1) === '{') stack.pop();
    else if (token === ']' && stack.at(-1) === '[') stack.pop();
    else return line;
  }
  const rest = text.slice(end);
  return lineAt(text, rest.trim() === '' ? text.trimEnd().length : end + rest.search(/\S/));
}

/** Counts from 1. */
export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}
