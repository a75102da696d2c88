import ts from 'typescript';
import { parseSource } from './parse-source.mjs';
import { risksIn } from './risk-ids.mjs';

/** Citations a reader of the repository cannot look up, and the advice for each. */
const CITATIONS = [
  {
    pattern:
      /\b(?:relay|provider|console|security) reference\b|\bconsole API \d|\breference,? (?:section )?\d/i,
    advice:
      'state the fact and its reason, or link the page of docs/ or of the vendor with the day it was read',
  },
  {
    pattern:
      /(?<![\w/.])design\/|\(specification\b|\bspecification, (?:section|part)|(?<!RFC \d+, )\bappendix [a-z]\b/i,
    advice: 'state the rule itself; a reason that is longer belongs into docs/decisions',
  },
  {
    pattern: /\(\d+\.\d+(?:\.\d+)*[,)]/,
    advice: 'name the page of docs/ instead of a section number; a version or figure gets its word or unit',
  },
  {
    pattern: /\.md, (?:\w+ )?\d/,
    advice: 'link the heading of a page of docs/; pages have no numbered parts',
  },
  {
    pattern: /\b[GI]\d{1,2}\b/,
    advice:
      'write the rule as a sentence (those of money:check are in server/base/billing/checks/invariants.ts)',
  },
];
const RISK_ADVICE = 'say what is prevented, in words; ids of risks stand at the end of test titles only';

/** Explains the ids of risks, so it has to show some. */
const EXPLAINS_CODES = 'scripts/risk-ids.mjs';

/**
 * Comments that cite documents which are not in the repository, or unexplained codes.
 * @param {string} path
 * @param {string} text
 * @returns {{ line: number, advice: string }[]}
 */
export function commentCitations(path, text) {
  if (path === EXPLAINS_CODES || adviceOn(text).length === 0) return [];
  return commentsOf(path, text).flatMap(([start, comment]) => {
    const first = text.slice(0, start).split('\n').length;
    return comment
      .split('\n')
      .flatMap((line, index) => adviceOn(line).map((advice) => ({ line: first + index, advice })));
  });
}

function adviceOn(text) {
  const found = CITATIONS.filter(({ pattern }) => pattern.test(text)).map(({ advice }) => advice);
  return risksIn(text).length > 0 ? [...found, RISK_ADVICE] : found;
}

/**
 * Comments of a file: the position of each, and its text.
 * @returns {[number, string][]}
 */
export function commentsOf(path, text) {
  const source = parseSource(path, text);
  const comments = new Map();
  const keep = (ranges) =>
    ranges?.forEach(({ pos, end }) => {
      comments.set(pos, text.slice(pos, end));
    });
  const visit = (node) => {
    // Text between tags is no place for comments, whatever it looks like.
    if (node.kind !== ts.SyntaxKind.JsxText) {
      keep(ts.getLeadingCommentRanges(text, node.getFullStart()));
      keep(ts.getTrailingCommentRanges(text, node.getEnd()));
    }
    node.getChildren(source).forEach(visit);
  };
  visit(source);
  return [...comments].toSorted(([a], [b]) => a - b);
}
