import ts from 'typescript';

export const MOST_PARAMETERS = 5;

/** Injected by type: classes that are all different cannot be exchanged by mistake. */
function isInjected(node) {
  if ((ts.getDecorators(node.parent) ?? []).length === 0) return false;
  const types = node.parameters.map(({ type }) =>
    type && ts.isTypeReferenceNode(type) ? type.getText() : '',
  );
  return types.every((type) => /^[A-Z]\w*$/.test(type)) && new Set(types).size === types.length;
}

/**
 * Constructors that take too much by position: pairs of equal types can be exchanged, and a reader has to count.
 * @param {string} path
 * @param {string} text
 * @returns {{ line: number, name: string }[]}
 */
export function longConstructors(path, text) {
  if (!/\bconstructor\(/.test(text)) return [];
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true);
  const found = [];
  const visit = (node) => {
    if (ts.isConstructorDeclaration(node) && node.parameters.length > MOST_PARAMETERS && !isInjected(node)) {
      const name = node.parent.name?.text ?? 'class';
      const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
      found.push({ line, name });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
