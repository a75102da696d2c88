/** The titles of the tests, read from their sources: titles of tables keep their marks (`%s`, `$name`). Built-in modules only. */
const STRING = String.raw`'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|\`(?:[^\`\\]|\\.)*\``;
const BODY = String.raw`\s*,\s*(?:async\b|function\b|\(|\w+\s*=>)`;
/** Plain (`it('…', () =>`) or behind a table (`])('…', () =>`). */
const TITLED = new RegExp(
  String.raw`(?:\b(it|test|describe)(?:\.\w+)*|([)\]\`]))\(\s*(${STRING})${BODY}`,
  'g',
);
const TABLE = /\b(it|test|describe)\.each\b/g;

/**
 * @param {readonly {path: string, text: string}[]} files tests
 * @returns {{path: string, title: string, under: string}[]} every test with the nearest title it stands under
 */
export function readTitles(files) {
  return files.flatMap(({ path, text }) => {
    const tables = [...text.matchAll(TABLE)].map(({ index, 1: kind }) => ({ index, kind }));
    const open = [];
    const found = [];
    for (const { index, 1: plain, 2: behind, 3: string } of text.matchAll(TITLED)) {
      const table = behind === undefined ? undefined : tables.findLast((one) => one.index < index);
      const kind = plain ?? table?.kind;
      if (kind === undefined) continue;
      const depth = indentOf(text, table?.index ?? index);
      while (open.length > 0 && open.at(-1).depth >= depth) open.pop();
      const title = unescape(string.slice(1, -1));
      if (kind === 'describe') open.push({ depth, title });
      else found.push({ path, title, under: open.at(-1)?.title ?? '' });
    }
    return found;
  });
}

function indentOf(text, index) {
  const start = text.lastIndexOf('\n', index) + 1;
  return /^ */.exec(text.slice(start, index))[0].length;
}

function unescape(text) {
  return text
    .replaceAll(/\\u([0-9a-f]{4})/gi, (_, digits) => String.fromCodePoint(Number.parseInt(digits, 16)))
    .replaceAll(/\\(.)/g, '$1');
}
