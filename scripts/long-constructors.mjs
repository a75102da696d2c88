import ts from 'typescript';
import { parseSource } from './parse-source.mjs';

export const MOST_PARAMETERS = 5;
/** Most services that Nest injects into a class: their types differ, so that none can be exchanged for another. */
export const MOST_INJECTED = 8;

/** Nest builds classes with a decorator. */
const mostOf = (owner) =>
  ts.canHaveDecorators(owner) && (ts.getDecorators(owner)?.length ?? 0) > 0 ? MOST_INJECTED : MOST_PARAMETERS;

/**
 * Constructors that take too much by position: equal types can be exchanged, a reader has to count, and a class that needs so much does
 * more than one thing.
 * @param {string} path
 * @param {string} text
 * @returns {{ line: number, name: string }[]}
 */
export function longConstructors(path, text) {
  if (!/\bconstructor\(/.test(text)) return [];
  const source = parseSource(path, text);
  const found = [];
  const visit = (node) => {
    if (ts.isConstructorDeclaration(node) && node.parameters.length > mostOf(node.parent)) {
      const name = node.parent.name?.text ?? 'class';
      const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
      found.push({ line, name });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
