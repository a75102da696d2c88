import modules from './module-imports.cjs';

export const MODULES_BEGIN = '<!-- modules: made from scripts/module-imports.cjs -->';
export const MODULES_END = '<!-- end of modules -->';

/** The table of modules for docs/architecture.md. */
export function renderModules(table = modules) {
  const rows = Object.entries(table).map(
    ([name, { what, mayImport }]) => `| \`server/${name}\` | ${what} | ${mayImport.join(', ') || '–'} |`,
  );
  return ['| Module | What | May import, of its own wing and the gateway |', '|---|---|---|', ...rows].join(
    '\n',
  );
}

/** The document with its table renewed. Fails: without the two marks. */
export function withModules(document, table = modules) {
  const from = document.indexOf(MODULES_BEGIN);
  const to = document.indexOf(MODULES_END);
  if (from < 0 || to < from) throw new Error('the marks of the table of modules are missing');
  return `${document.slice(0, from)}${MODULES_BEGIN}\n\n${renderModules(table)}\n\n${document.slice(to)}`;
}
