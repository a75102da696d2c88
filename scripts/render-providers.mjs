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

import { describedVendors } from './render-descriptions.mjs';

const code = (text) => `\`${text}\``;

/** Columns of an editor's window. */
const MOST_COLUMNS = 100;

/** An entry of a list, broken between its words. */
function entry(text) {
  const lines = [];
  let line = '-';
  for (const word of text.split(' ')) {
    if (line.length + 1 + word.length > MOST_COLUMNS) {
      lines.push(line);
      line = ' ';
    }
    line += ` ${word}`;
  }
  return [...lines, line];
}

/** Operations and their formats, in the order of the operations. */
function formatsByOperation(operations, formats) {
  return operations
    .map((operation) => [operation, [...new Set(formats(operation).map(({ id }) => code(id)))]])
    .filter(([, ids]) => ids.length > 0)
    .map(([operation, ids]) => `${operation}: ${ids.join(', ')}`)
    .join('; ');
}

/** A part for each format: what is carried, then the rest by its reason; the judge answers `✓` or a mark and a reason. */
function survivors(formats, features, judge) {
  return formats.flatMap((apiFormat) => {
    const byWord = Map.groupBy(features, (feature) => judge(apiFormat, feature));
    const carried = byWord.get('✓') ?? [];
    byWord.delete('✓');
    const titles = (some) => some.map(({ title }) => title).join(', ');
    return [
      `### ${code(apiFormat.id)}`,
      '',
      ...(carried.length === 0 ? [] : entry(byWord.size === 0 ? '✓ everything' : `✓ ${titles(carried)}`)),
      ...[...byWord].flatMap(([word, some]) => entry(word.replace(' ', ` ${titles(some)}: `))),
      '',
    ];
  });
}

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
 * @param {{dialects: object[], providers: object[], stream: {replyToEvents: Function, ReplyCollector: Function, openFramer: Function}}} registries
 */
export function renderProviders({ dialects, providers, stream }) {
  const operations = [...new Set(dialects.flatMap(({ routes }) => routes.map(({ operation }) => operation)))];
  const sorted = [...providers].sort((left, right) => left.channelTypes[0].code - right.channelTypes[0].code);
  const clients = dialects.flatMap(({ id, routes }) => {
    const formats = (operation) =>
      routes.filter((route) => route.operation === operation).map(({ apiFormat }) => apiFormat);
    return entry(`**${id}** ${formatsByOperation(operations, formats)}`);
  });
  const vendors = sorted.flatMap(({ channelTypes, operations: offered }) => {
    const formats = (operation) => (offered[operation] ?? []).map(({ apiFormat }) => apiFormat);
    const name = channelTypes.map((type) => `${type.name} (${type.code})`).join(', ');
    return entry(`**${name}** ${formatsByOperation(operations, formats)}`);
  });
  const described = describedVendors(sorted).flatMap(({ vendors, text }) => entry(`**${vendors}** ${text}`));
  const { client, upstream } = formatsOf('chat', { dialects, providers });
  const requests = survivors(upstream, REQUEST_FEATURES, (apiFormat, feature) => {
    const { verdict, reason } = probeRequest(apiFormat, feature);
    if (verdict === 'carried') return '✓';
    return `${verdict === 'refused' ? '✋' : '✗'} ${reason}`;
  });
  const replies = survivors(client, REPLY_FEATURES, (apiFormat, feature) => {
    const call = plainCall(apiFormat);
    const survives =
      probeReply(apiFormat, feature, call) &&
      (apiFormat.openReplyWriter === undefined || probeStream(apiFormat, feature, call, stream));
    return survives ? '✓' : `– ${NO_WORDS[apiFormat.id]?.[feature.title] ?? 'it does not survive'}`;
  });
  return [
    '# Providers: what is carried, and what is not',
    '',
    'Where a caller’s client API and a vendor speak the same API format, bytes pass untouched and everything is carried, known to us or',
    'not. Between two formats a call goes by way of the neutral model; the lists below show what survives that way. They are not',
    'written but found: every feature is sent through every format and what comes out is looked at',
    '(`npm run docs`). What a vendor’s grammar lacks is left out with a warning, never',
    'silently: the usage log has setting and reason (`other.warnings`, “Not passed on” in the console), and the answer names the',
    'settings in its head (`x-tollgate-warnings: seed, top_k`).',
    '',
    '## Client APIs',
    '',
    ...clients,
    '',
    '## Vendors',
    '',
    'The number is the channel type. Of several formats for an operation the caller’s own is taken where it is among them, else the',
    'first that serves the model.',
    '',
    ...vendors,
    '',
    '## Interfaces of vendors',
    '',
    'Each call is fitted to the interface of its vendor: translated requests, and bytes that pass. Instructions are joined with a',
    'blank line where the vendor takes one; a user that does not fit becomes a digest, keyed by the installation and the same in each',
    'call. Options that cannot be fitted are warnings. A call that needs nothing keeps its bytes, and so does one of a channel that',
    'passes bodies through. OpenAI’s type at another address, and vendors without a description, get the careful form: one',
    '`system` at the head, and the cap as `max_tokens`.',
    '',
    ...described,
    '',
    '## Conversations: from the caller to the vendor’s format',
    '',
    '✓ carried, ✗ left out or changed with a warning, ✋ refused before anything is sent. Looked at with a model name no rule',
    'knows: models have rules of their own. Addresses a vendor cannot fetch itself are fetched before, and sent as bytes.',
    '',
    ...requests,
    '## Conversations: from the answer to the caller’s format',
    '',
    '✓ whole and streamed, – where the client API has no words for it.',
    '',
    ...replies,
  ].join('\n');
}
