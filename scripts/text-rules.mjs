import { commentCitations } from './comment-citations.mjs';
import { exchangeableParameters, KNOWN_EXCHANGEABLE } from './exchangeable-parameters.mjs';
import { longConstructors } from './long-constructors.mjs';
import { literalSpreads } from './literal-spreads.mjs';
import { titlesWithoutVerb } from './test-titles.mjs';
import { wordReport } from './word-rules.mjs';

/** Rules that a text search states best: name, files, forbidden pattern and advice. */
const isSpec = (path) => /\.(e2e-)?spec\.tsx?$/.test(path);
const isProduct = (path) => /^(server|console\/src)\//.test(path) && !isSpec(path);
const isServer = (path) => path.startsWith('server/') && !isSpec(path);

/** Columns that only the billing module may write, as properties and as SQL names. */
const MONEY_PROPERTIES = 'quota|quotaFloor|usedQuota|remainQuota|requestCount|affQuota|affHistory';
const MONEY_COLUMNS = 'quota|quota_floor|used_quota|remain_quota|request_count|aff_quota|aff_history';

export const TEXT_RULES = [
  {
    name: 'environment-has-one-reader',
    applies: (path) => isServer(path) && !path.startsWith('server/config/'),
    pattern: /(?<!readEnv\()process\.env\b/,
    sentence: 'read the environment through Env (server/config/env.ts)',
  },
  {
    name: 'outbound-calls-pass-one-client',
    applies: (path) => isServer(path) && !path.startsWith('server/infra/http-client/'),
    pattern: /(?<![.\w])fetch\(|from 'node:https'|\bhttps?\.(request|get)\(/,
    sentence: 'send through server/infra/http-client, which has one policy for addresses',
  },
  {
    name: 'money-has-one-writer',
    applies: (path) =>
      /^server\/(base|gateway|console)\//.test(path) &&
      !path.startsWith('server/base/billing/') &&
      !isSpec(path),
    pattern: new RegExp(
      [
        `\\b(${MONEY_PROPERTIES})['"]?\\s*:\\s*\\(\\)\\s*=>`,
        `\\b(in|de)crement\\([^)]*['"](${MONEY_PROPERTIES})['"]`,
        `\\bSET\\b(?:(?!\\bWHERE\\b)[^;\`])*["\`]?\\b(${MONEY_COLUMNS})\\b["\`]?\\s*=`,
      ].join('|'),
      'i',
    ),
    sentence: 'balances and counters of money change only in server/base/billing',
  },
  {
    name: 'nothing-unfinished',
    applies: (path) => /\.(ts|tsx|mjs|cjs)$/.test(path) && path !== 'scripts/text-rules.mjs',
    pattern: /\b(TODO|FIXME|XXX|HACK)\b|@ts-(ignore|nocheck)|(oxlint|eslint)-disable/,
    sentence: 'finish it, or take it out',
  },
  {
    name: 'errors-expected-by-name',
    applies: (path) => /\.tsx?$/.test(path) && !path.endsWith('.type-errors.ts'),
    pattern: /@ts-expect-error/,
    sentence: 'what must not compile stands in a *.type-errors.ts; anything else compiles',
  },
  {
    name: 'no-schema-by-guessing',
    applies: isServer,
    pattern: /synchronize\s*:\s*true|\.synchronize\(/,
    sentence: 'the schema changes by migrations only',
  },
  {
    name: 'no-code-from-text',
    applies: isServer,
    pattern: /from 'node:vm'|\bnew Function\(|(?<![.\w])eval\(/,
    sentence: 'text never becomes code',
  },
];

/**
 * @param {string} path from the repository's root
 * @param {string} text
 * @returns {string[]} one line per fault: place, rule, sentence
 */
export function textFaults(path, text) {
  const rules = TEXT_RULES.filter((rule) => rule.applies(path));
  const spreads = literalSpreads(path, text).map(
    (line) => `${path}:${line}: no-literal-spread: write the members of the literal`,
  );
  const citations = commentCitations(path, text).map(
    ({ line, advice }) => `${path}:${line}: no-outside-citation: ${advice}`,
  );
  const constructors = isProduct(path)
    ? longConstructors(path, text).map(
        ({ line }) =>
          `${path}:${line}: no-long-constructor: split it by what it does, or give what belongs together as one object`,
      )
    : [];
  const exchangeable = isProduct(path) ? exchangeableReport(path, text) : [];
  const titles = isProduct(path)
    ? []
    : titlesWithoutVerb(path, text).map(
        (line) =>
          `${path}:${line}: title-begins-with-a-verb: say what the unit does: "refuses …", not "is refused"; ids of risks stand at its end`,
      );
  const found = text
    .split('\n')
    .flatMap((line, index) =>
      rules
        .filter((rule) => rule.pattern.test(line))
        .map((rule) => `${path}:${index + 1}: ${rule.name}: ${rule.sentence}`),
    );
  return [
    ...spreads,
    ...citations,
    ...constructors,
    ...exchangeable,
    ...titles,
    ...found,
    ...wordReport(path, text),
  ];
}

/** A file with known functions is reported when it has more of them. */
function exchangeableReport(path, text) {
  const found = exchangeableParameters(path, text);
  if (found.length <= (KNOWN_EXCHANGEABLE.get(path) ?? 0)) return [];
  return found.map(
    ({ line, names }) =>
      `${path}:${line}: no-exchangeable-parameters: give ${names} as one object, or put another type between them`,
  );
}
