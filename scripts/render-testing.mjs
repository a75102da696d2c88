/** Risks in docs/testing.md and in the tests. Built-in modules only. */
import { RISK_GROUPS, riskId, risksIn } from './risk-ids.mjs';

export const RISKS_BEGIN = '<!-- risks: made from scripts/risk-ids.mjs -->';
export const RISKS_END = '<!-- end of risks -->';

const STRING = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;

/**
 * @param {readonly {path: string, text: string}[]} files tests, in any order
 * @returns {Map<string, Set<string>>} risk → files whose texts quote it
 */
export function filesByRisk(files) {
  const found = new Map();
  for (const { path, text } of files) {
    for (const risk of risksIn((text.match(STRING) ?? []).join('\n'))) {
      const name = risk.replace(/[a-z]$/, '');
      found.set(name, (found.get(name) ?? new Set()).add(path));
    }
  }
  return found;
}

function renderRisks() {
  const rows = RISK_GROUPS.map(({ code, title, first, last }) => {
    const range = last > first ? `${riskId(code, first)} to ${riskId(code, last)}` : riskId(code, first);
    return `| ${range} | ${first === 1 ? title : `mistakes of comparable consoles: ${title}`} |`;
  });
  return ['| Code | Subject |', '|---|---|', ...rows].join('\n');
}

/** The document with its table of risks renewed. Fails: without the two marks. */
export function withRisks(document) {
  const from = document.indexOf(RISKS_BEGIN);
  const to = document.indexOf(RISKS_END);
  if (from < 0 || to < from) throw new Error('the marks of the table of risks are missing');
  return `${document.slice(0, from)}${RISKS_BEGIN}\n\n${renderRisks()}\n\n${document.slice(to)}`;
}
