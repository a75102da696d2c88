/** docs/errors.md from the catalogues, and from what each client API's writer makes of a refusal. Built-in modules only. */

/** Text that may stand in a table cell. */
const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', '<br>');
const word = (text) => (text === null || text === undefined ? '–' : `\`${text}\``);

const SCOPES = { account: 'user', key: 'token' };

/** A refusal of every kind; what a kind has two codes for has two rows. */
const samplesOf = (kinds) =>
  kinds.flatMap((kind) => {
    const error = { kind, blame: kind.startsWith('upstream-') ? 'upstream' : 'caller', message: '' };
    if (kind === 'limit-full') {
      const refused = (limit) => ({ ...error, limit: { name: '', scope: '', amount: 0, ...limit } });
      return [
        [kind, refused({})],
        [`${kind} (the call never fits)`, refused({ needed: 0 })],
      ];
    }
    if (kind !== 'quota-insufficient') return [[kind, error]];
    return Object.entries(SCOPES).map(([whose, scope]) => [`${kind} (${whose})`, { ...error, scope }]);
  });

/** @returns {{status: number, error: object}} what a client of the API reads */
function writtenBy(dialects, id, error) {
  const { status, body } = dialects.find((dialect) => dialect.id === id).writeError(error, 'call');
  return { status, error: JSON.parse(body.toString()).error };
}

function relayRow([name, error], { dialects, retryAfterOf }) {
  const openai = writtenBy(dialects, 'openai', error);
  const anthropic = writtenBy(dialects, 'anthropic', error);
  const gemini = writtenBy(dialects, 'gemini', error);
  const statuses = [...new Set([openai, anthropic, gemini].map(({ status }) => status))];
  const cells = [
    name,
    statuses.join(' / '),
    word(openai.error.type),
    word(openai.error.code),
    word(anthropic.error.type),
    word(gemini.error.status),
    word(gemini.error.details[0].reason),
    retryAfterOf(error.kind),
  ];
  return `| ${cells.join(' | ')} |`;
}

/**
 * @param {object} facts
 * @param {Record<string, {status?: number, en: string, zh: string}>} facts.catalogue ERROR_CATALOGUE
 * @param {readonly string[]} facts.kinds of refusals
 * @param {readonly object[]} facts.dialects DIALECTS
 * @param {Record<string, {kind: string, message: string}>} facts.refusals REFUSALS
 * @param {(kind: string) => string} facts.retryAfterOf of refusals.ts
 */
export function renderErrors(facts) {
  const { catalogue, kinds, refusals } = facts;
  const lines = [
    '# Errors',
    '',
    'Generated from the catalogues in the code by `npm run docs`.',
    '',
    '## Console API (`/api`)',
    '',
    'A refusal is `{"success": false, "message": …, "code": …}`. `message` is in the language of `Accept-Language` (English or',
    'Chinese) and may change; `code` is for machines and stays. Business refusals have status 200, as the clients of this',
    'family of APIs expect. `{…}` is filled in. The rows are in `server/common/errors/catalogue`, a file per area; `grep -rn CODE server`',
    'finds where one is thrown.',
    '',
    '| Code | Status | English | 中文 |',
    '|---|---|---|---|',
    ...Object.entries(catalogue)
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([code, row]) => `| \`${code}\` | ${row.status ?? 200} | ${cell(row.en)} | ${cell(row.zh)} |`),
    '',
    '## Relay (`/v1`)',
    '',
    'OpenAI\'s API answers `{"error": {"message", "type", "param", "code"}}`; each other client API refuses in its own shape. The message',
    'ends with the request id. The kind is the word for a refusal in the code, in metrics and traces.',
    "What an upstream refused keeps the upstream's own type and code, when it sent them.",
    'In every API the same code distinguishes an account without quota from a key without quota: `error.details.code`',
    '(Anthropic), the reason in `error.details` in capitals (Gemini), `code` (Suno), `properties.code` (Midjourney).',
    'Refusals by a [limit](limits.md) carry it as `limit`: in `error` (OpenAI), `error.details` (Anthropic), `data` (Suno), `properties`',
    '(Midjourney); Gemini has its parts in the metadata of `ErrorInfo`.',
    '',
    '| Kind | Status | OpenAI: `error.type` | `error.code` | Anthropic: `error.type` | Gemini: `error.status` | its reason | `Retry-After` |',
    '|---|---|---|---|---|---|---|---|',
    ...samplesOf(kinds).map((sample) => relayRow(sample, facts)),
    '',
    '### Sentences',
    '',
    'English only, the same in every client API (`server/relay-core/model/refusals.ts`). The name is what the code throws: `grep -rn NAME server`',
    "finds where. What is wrong with a request (invalid-request) is stated by its reader; a vendor's own words stand in place of ours where",
    'callers may read them.',
    '',
    '| Name | Kind | Sentence |',
    '|---|---|---|',
    ...Object.entries(refusals).map(
      ([name, { kind, message }]) => `| \`${name}\` | ${kind} | ${cell(message)} |`,
    ),
    '',
  ];
  return lines.join('\n');
}
