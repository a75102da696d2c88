import ts from 'typescript';

/** What a title cannot begin with, also behind the code of a row. */
const REFUSED = /^(?:[A-Z]+-?\d+\w?[:,]? +)*(?:are|is|what|who|have|count)\b/;

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
  if (!/['"`](?:[A-Z]+-?\d+\w?[:,]? +)*(?:are|is|what|who|have|count)\b/.test(text)) return [];
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
      if (REFUSED.test(words))
        lines.push(source.getLineAndCharacterOfPosition(title.getStart(source)).line + 1);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return lines;
}
