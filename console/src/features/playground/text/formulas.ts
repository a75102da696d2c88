/** Code, in which nothing is a formula. */
const CODE =
  /(^ {0,3}(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^ {0,3}\2[`~]*[ \t]*$|$(?![\s\S]))|(`+)(?!`)[\s\S]*?[^`]\3(?!`))/m;
/** Pandoc's rule, by which `$5 and $6` is none: https://pandoc.org/MANUAL.html#math (read 2026-11-29). */
const SINGLE = /(?<![\\$])\$(?![\s$])((?:[^$\n\\]|\\.)+?)(?<![\s\\])\$(?![\d$])/g;

/** Writes formulas in one form, `$$…$$`, whichever of `$…$`, `\(…\)`, `\[…\]` the model used. */
export function withFormulas(text: string): string {
  if (!/[$\\]/.test(text)) return text;
  return splitByCode(text)
    .map(({ part, isCode }) => (isCode ? part : rewrite(part)))
    .join('');
}

function rewrite(text: string): string {
  return text
    .replace(/\\\[([\s\S]+?)\\\]/g, (_match, formula: string) => `\n$$\n${formula.trim()}\n$$\n`)
    .replace(/\\\(([\s\S]+?)\\\)/g, (_match, formula: string) => `$$${formula.trim()}$$`)
    .replace(SINGLE, (_match, formula: string) => `$$${formula}$$`);
}

function splitByCode(text: string): readonly { readonly part: string; readonly isCode: boolean }[] {
  const parts: { part: string; isCode: boolean }[] = [];
  let rest = text;
  for (let found = CODE.exec(rest); found !== null; found = CODE.exec(rest)) {
    parts.push({ part: rest.slice(0, found.index), isCode: false }, { part: found[0], isCode: true });
    rest = rest.slice(found.index + found[0].length);
    if (found[0] === '') break;
  }
  return [...parts, { part: rest, isCode: false }];
}
