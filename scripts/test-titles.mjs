import ts from 'typescript';
import { parseSource } from './parse-source.mjs';
import { risksIn } from './risk-ids.mjs';

/** Beginnings that a title cannot have: they continue a sentence of the `describe`. */
const BEGINNING =
  '(?:are|is|what|who|have|count|that|which|whose|and|but|or|of|with|without|in|on|at|by|for|from|to|after|before|behind|while|when|where)\\b';
const REFUSED = new RegExp(`^${BEGINNING}`);
/** Texts without these need not be parsed. */
const SUSPECT = new RegExp(`['"\`](?:${BEGINNING}|[A-Z]+-\\d)`);

/** The id of a risk stands behind the sentence. */
const beginsWithRow = (words) => risksIn(words.split(/[\s:,]/, 1)[0] ?? '').length > 0;

/** The function that is called in the end: `it` of `it.each(rows)('…')`. */
function calledName(node) {
  if (ts.isIdentifier(node)) return node.text;
  if (ts.isPropertyAccessExpression(node) || ts.isCallExpression(node)) return calledName(node.expression);
  return ts.isTaggedTemplateExpression(node) ? calledName(node.tag) : '';
}

/**
 * Titles of the tests in a file, as they are written: without what a template puts in.
 * @param {string} path
 * @param {string} text
 * @returns {{ line: number, title: string }[]}
 */
export function titlesOf(path, text) {
  if (!/\b(?:it|test)\b/.test(text)) return [];
  const source = parseSource(path, text);
  const titles = [];
  const visit = (node) => {
    if (ts.isCallExpression(node) && ['it', 'test'].includes(calledName(node.expression))) {
      const [title] = node.arguments;
      if (title !== undefined && (ts.isStringLiteralLike(title) || ts.isTemplateExpression(title)))
        titles.push({
          line: source.getLineAndCharacterOfPosition(title.getStart(source)).line + 1,
          title: text.slice(title.getStart(source) + 1, title.end - 1),
        });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return titles;
}

/**
 * Lines of tests whose title does not begin with what the unit does: "refuses a code that was used", not "is refused".
 * @param {string} path
 * @param {string} text
 * @returns {number[]}
 */
export function titlesWithoutVerb(path, text) {
  if (!SUSPECT.test(text)) return [];
  return titlesOf(path, text)
    .filter(({ title }) => REFUSED.test(title) || beginsWithRow(title))
    .map(({ line }) => line);
}
