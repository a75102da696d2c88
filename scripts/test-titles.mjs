import ts from 'typescript';
import { risksIn } from './risk-ids.mjs';

/** What a title cannot begin with: the rest of a sentence whose beginning stands in a `describe`. */
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
 * Lines of tests whose title does not begin with what the unit does: "refuses a code that was used", not "is refused".
 * @param {string} path
 * @param {string} text
 * @returns {number[]}
 */
export function titlesWithoutVerb(path, text) {
  if (!SUSPECT.test(text)) return [];
  const kind = path.endsWith('.tsx') ? ts.ScriptKind.TSX : undefined;
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, false, kind);
  const lines = [];
  const visit = (node) => {
    if (ts.isCallExpression(node) && ['it', 'test'].includes(calledName(node.expression))) {
      const [title] = node.arguments;
      const words =
        title !== undefined && (ts.isStringLiteralLike(title) || ts.isTemplateExpression(title))
          ? text.slice(title.getStart(source) + 1, title.end - 1)
          : '';
      if (REFUSED.test(words) || beginsWithRow(words))
        lines.push(source.getLineAndCharacterOfPosition(title.getStart(source)).line + 1);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return lines;
}
