import ts from 'typescript';

export const MOST_PARAMETERS = 5;

/**
 * Constructors that take too much by position: equal types can be exchanged, a reader has to count, and a class that needs so much does
 * more than one thing.
 * @param {string} path
 * @param {string} text
 * @returns {{ line: number, name: string }[]}
 */
export function longConstructors(path, text) {
  if (!/\bconstructor\(/.test(text)) return [];
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true);
  const found = [];
  const visit = (node) => {
    if (ts.isConstructorDeclaration(node) && node.parameters.length > MOST_PARAMETERS) {
      const name = node.parent.name?.text ?? 'class';
      const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
      found.push({ line, name });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
