import ts from 'typescript';
import { parseSource } from './parse-source.mjs';

/**
 * Lines where a literal is spread into a literal or an argument list: write its members instead, which the compiler checks better.
 * @param {string} path
 * @param {string} text
 * @returns {number[]}
 */
export function literalSpreads(path, text) {
  if (!/\.\.\.\s*[[{]/.test(text)) return [];
  const source = parseSource(path, text);
  const lines = [];
  const visit = (node) => {
    const isList = ts.isSpreadElement(node) && ts.isArrayLiteralExpression(node.expression);
    const isObject = ts.isSpreadAssignment(node) && ts.isObjectLiteralExpression(node.expression);
    if (isList || isObject) lines.push(source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return lines;
}
