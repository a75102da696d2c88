import ts from 'typescript';
import { parseSource } from './parse-source.mjs';

/** Functions with fewer parameters are read at a glance. */
const MANY_PARAMETERS = 4;
const PRIMITIVES = new Map([
  [ts.SyntaxKind.StringKeyword, 'string'],
  [ts.SyntaxKind.NumberKeyword, 'number'],
  [ts.SyntaxKind.BooleanKeyword, 'boolean'],
  [ts.SyntaxKind.BigIntKeyword, 'bigint'],
]);

/** Primitive type of a parameter, whether or not it may be absent. */
function primitiveOf({ type, initializer }) {
  if (type === undefined) {
    if (initializer === undefined) return undefined;
    if (ts.isStringLiteralLike(initializer)) return 'string';
    if (ts.isNumericLiteral(initializer)) return 'number';
    const isFlag = [ts.SyntaxKind.TrueKeyword, ts.SyntaxKind.FalseKeyword].includes(initializer.kind);
    return isFlag ? 'boolean' : undefined;
  }
  if (!ts.isUnionTypeNode(type)) return PRIMITIVES.get(type.kind);
  const kinds = type.types.filter(
    (each) =>
      each.kind !== ts.SyntaxKind.UndefinedKeyword &&
      !(ts.isLiteralTypeNode(each) && each.literal.kind === ts.SyntaxKind.NullKeyword),
  );
  return kinds.length === 1 ? PRIMITIVES.get(kinds[0].kind) : undefined;
}

/** Pairs that every reader expects in this order: ends of an interval, a page, a named metric. Numbers and units may stand around. */
const INTERVALS = [
  ['start', 'end'],
  ['from', 'to'],
  ['min', 'max'],
  ['offset', 'limit'],
  ['name', 'help'],
];

/** True for `start` and `end`, `rawStart` and `rawEnd`, `startedAtMs` and `endedAtMs`. */
function isInterval(first, second) {
  const [one, other] = [first.toLowerCase(), second.toLowerCase()];
  return INTERVALS.some(([begin, end]) => one.includes(begin) && one.replace(begin, end) === other);
}

/**
 * Files with such functions from before the rule, and their number: money, prices, ports of stores, signatures of libraries, imports and
 * vendors. A number may only fall.
 */
export const KNOWN_EXCHANGEABLE = new Map([
  ['server/base/billing/holds/hold-ends.ts', 1],
  ['server/base/billing/holds/pooled-quota-holds.ts', 1],
  ['server/base/billing/holds/slice.ts', 1],
  ['server/base/billing/ledger/reservation-sql.ts', 1],
  ['server/base/billing/opening/opening-money.ts', 3],
  ['server/base/pricing/option-price-book.ts', 1],
  ['server/base/pricing/price-table.ts', 2],
  ['server/relay-core/ports/quota-holds.ts', 1],
  ['server/infra/shared-store/memory-pools.ts', 2],
  ['server/infra/shared-store/redis-pools.ts', 2],
  ['server/infra/shared-store/shared-store.ts', 2],
  ['server/console/identities/github/github-strategy.ts', 2],
  ['server/console/import/read/read-rows.ts', 1],
  ['server/console/import/write/import-context.ts', 1],
  ['server/console/import/write/reconcile.ts', 1],
  ['server/relay-core/providers/bedrock/converse/write-request.ts', 1],
  ['server/relay-core/providers/openai-compatible/profiles.ts', 1],
  ['server/relay-core/providers/tencent/signing.ts', 1],
  ['server/relay-core/providers/vertex/provider.ts', 1],
  ['console/src/features/channels/start.api.ts', 1],
]);

/**
 * Functions of four or more parameters in which two neighbours have the same primitive type: a call that exchanges them compiles.
 * Intervals are no such neighbours.
 * @param {string} path
 * @param {string} text
 * @returns {{ line: number, names: string }[]} names of the two parameters
 */
export function exchangeableParameters(path, text) {
  const source = parseSource(path, text);
  const found = [];
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.parameters.length >= MANY_PARAMETERS) {
      const names = exchangeableIn(node.parameters, source);
      if (names !== undefined)
        found.push({ line: source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1, names });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function exchangeableIn(parameters, source) {
  const types = parameters.map(primitiveOf);
  const names = parameters.map(({ name }) => name.getText(source).replace(/^_/, ''));
  for (let at = 0; at + 1 < names.length; at += 1) {
    if (types[at] === undefined || types[at] !== types[at + 1]) continue;
    if (!isInterval(names[at], names[at + 1])) return `${names[at]} and ${names[at + 1]}`;
    // The end of an interval is no neighbour of what follows it.
    at += 1;
  }
  return undefined;
}
