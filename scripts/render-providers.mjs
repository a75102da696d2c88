/**
 * docs/providers.md from the registries of relay-core and from what their formats do (probe-features.mjs). A pure function,
 * so that a test can compare it with what is committed.
 */
import {
  probeReply,
  probeRequest,
  probeStream,
  NO_WORDS,
  REPLY_FEATURES,
  REQUEST_FEATURES,
} from './probe-features.mjs';

const code = (text) => `\`${text}\``;
const cell = (items) => (items.length === 0 ? '–' : items.join(', '));
const row = (cells) => `| ${cells.join(' | ')} |`;
const table = (head, rows) => [row(head), `|${head.map(() => '---|').join('')}`, ...rows.map(row)];

const HELLO = {
  'openai-chat': { messages: [{ role: 'user', content: 'hello' }] },
  'openai-completions': { prompt: 'hello' },
  'openai-responses': { input: 'hello' },
  'anthropic-messages': { max_tokens: 100, messages: [{ role: 'user', content: 'hello' }] },
  'gemini-generate': { contents: [{ role: 'user', parts: [{ text: 'hello' }] }] },
};

/** A plain call in a front format's own words. */
export function plainCall(apiFormat) {
  const isGemini = apiFormat.id === 'gemini-generate';
  const target = { pathModel: isGemini ? 'probe' : undefined, query: isGemini ? 'alt=sse' : '', headers: {} };
  const body = isGemini ? HELLO[apiFormat.id] : { model: 'probe', ...HELLO[apiFormat.id] };
  const parsed = apiFormat.parseCall(Buffer.from(JSON.stringify(body)), target);
  if (!parsed.ok) throw new Error(`${apiFormat.id}: ${parsed.error.message}`);
  return parsed.value;
}

/** Formats of one operation, each once: those calls come in by (the form that streams), and those they leave by. */
export function formatsOf(operation, { dialects, providers }) {
  const byId = (apiFormats) => {
    const best = new Map();
    for (const apiFormat of apiFormats) {
      const known = best.get(apiFormat.id);
      if (
        known === undefined ||
        (known.openReplyWriter === undefined && apiFormat.openReplyWriter !== undefined)
      )
        best.set(apiFormat.id, apiFormat);
    }
    return [...best.values()];
  };
  const asked = dialects.flatMap(({ routes }) =>
    routes.filter((route) => route.operation === operation).map(({ apiFormat }) => apiFormat),
  );
  const served = providers.flatMap(({ operations }) =>
    (operations[operation] ?? []).map(({ apiFormat }) => apiFormat),
  );
  return { client: byId(asked), upstream: byId(served), everyUpstream: [...new Set(served)] };
}

/**
 * @param {{dialects: object[], providers: object[], names: ReadonlyMap<number, string>, stream: {replyToEvents: Function, ReplyCollector: Function, openFramer: Function}}} registries
 */
export function renderProviders({ dialects, providers, names, stream }) {
  const operations = [...new Set(dialects.flatMap(({ routes }) => routes.map(({ operation }) => operation)))];
  const sorted = [...providers].sort((left, right) => left.typeCodes[0] - right.typeCodes[0]);
  const rows = operations.map((operation) => [
    operation,
    ...dialects.map(({ routes }) =>
      cell([
        ...new Set(
          routes.filter((route) => route.operation === operation).map(({ apiFormat }) => code(apiFormat.id)),
        ),
      ]),
    ),
  ]);
  const vendors = sorted.map(({ typeCodes, operations: offered }) => [
    typeCodes.join(', '),
    typeCodes.map((each) => names.get(each)).join(', '),
    ...operations.map((operation) =>
      cell([...new Set((offered[operation] ?? []).map(({ apiFormat }) => code(apiFormat.id)))]),
    ),
  ]);
  const { client, upstream } = formatsOf('chat', { dialects, providers });
  const notes = [];
  const noteOf = (note) => {
    if (!notes.includes(note)) notes.push(note);
    return `[${notes.indexOf(note) + 1}]`;
  };
  const requests = REQUEST_FEATURES.map((feature) => [
    feature.title,
    ...upstream.map((apiFormat) => {
      const { verdict, reason } = probeRequest(apiFormat, feature);
      if (verdict === 'carried') return '✓';
      return `${verdict === 'refused' ? '✋' : '✗'} ${noteOf(reason)}`;
    }),
  ]);
  const replies = REPLY_FEATURES.map((feature) => [
    feature.title,
    ...client.map((apiFormat) => {
      const call = plainCall(apiFormat);
      const survives =
        probeReply(apiFormat, feature, call) &&
        (apiFormat.openReplyWriter === undefined || probeStream(apiFormat, feature, call, stream));
      if (survives) return '✓';
      return `– ${noteOf(NO_WORDS[apiFormat.id]?.[feature.title] ?? 'it does not survive')}`;
    }),
  ]);
  return [
    '# Providers: what is carried, and what is not',
    '',
    'Where a caller’s client API and a vendor speak the same API format, bytes pass untouched and everything is carried, known to us or',
    'not. Between two formats a call goes by way of the neutral model; the tables below say what survives that way. They are not',
    'written but found: every feature is sent through every format and what comes out is looked at',
    '(`npm run docs`). What a vendor’s grammar cannot say is left out with a warning, never',
    'silently: the usage log has setting and reason (`other.warnings`, “Not passed on” in the console), and the answer names the',
    'settings in its head (`x-tollgate-warnings: seed, top_k`).',
    '',
    '## Dialects',
    '',
    ...table(['Operation', ...dialects.map(({ id }) => id)], rows),
    '',
    '## Vendors',
    '',
    'Several formats in a cell: the caller’s own is taken where it is among them, else the first that serves the model.',
    '',
    ...table(['Type', 'Vendor', ...operations], vendors),
    '',
    '## Conversations: from the caller to the vendor’s format',
    '',
    '✓ carried, ✗ left out or changed with a warning, ✋ refused before anything is sent. Looked at with a model name no rule',
    'knows: models have rules of their own. Addresses a vendor cannot fetch itself are fetched before, and sent as bytes.',
    '',
    ...table(['Feature', ...upstream.map(({ id }) => code(id))], requests),
    '',
    '## Conversations: from the answer to the caller’s format',
    '',
    '✓ whole and streamed, – where the client API has no words for it.',
    '',
    ...table(['Feature', ...client.map(({ id }) => code(id))], replies),
    '',
    '## Notes',
    '',
    ...notes.map((note, index) => `${index + 1}. ${note}`),
    '',
  ].join('\n');
}
