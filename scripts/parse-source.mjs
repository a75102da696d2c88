import ts from 'typescript';

/** @type {{ path: string, text: string, source: import('typescript').SourceFile } | undefined} */
let last;

/**
 * The syntax tree of a file, with parents. The last one is kept: several rules read each file, one after the other.
 * @param {string} path
 * @param {string} text
 */
export function parseSource(path, text) {
  if (last?.path === path && last.text === text) return last.source;
  const kind = path.endsWith('.tsx') ? ts.ScriptKind.TSX : undefined;
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true, kind);
  last = { path, text, source };
  return source;
}
