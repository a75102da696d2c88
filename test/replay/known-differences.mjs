import { isDeepStrictEqual } from 'node:util';

const isNothing = (value) => value === undefined || value === null;
const isNone = (list) => Array.isArray(list) && list.length === 0;

/** Tools of the Responses API that its callers run: other dialects have none of them. */
const OWN_TOOLS = new Set(['apply_patch', 'local_shell', 'shell']);
/** Vendors whose answers are of that API. */
const RESPONSES_VENDORS = /^(?:openai responses|open-responses|azure|xai responses)$/;

/** The vendor marks the addresses it cites as coming from it. */
const untagged = (url) => url.replace(/[?&]utm_source=openai$/, '');

/** Caller-run tools in the words of dialects whose tools take JSON objects only. */
const asArgument = (calls) =>
  calls.map((call) => (typeof call.input === 'string' ? { ...call, input: { input: call.input } } : call));

/**
 * The reviewed table: what a dialect cannot express, or what two packages count in different ways. A difference that is
 * not in it is a fault of the gateway.
 * @type {{fields: string[], vendor?: RegExp, dialect?: RegExp, recording?: RegExp, when?: Function, reason: string}[]}
 */
export const KNOWN_DIFFERENCES = [
  {
    fields: ['usage.input', 'usage.output'],
    when: isNothing,
    reason: 'the recording reports no usage; the gateway shows what it counted itself and charges',
  },
  {
    fields: ['usage.cacheRead'],
    vendor: /^cohere$/,
    when: isNothing,
    reason: 'the vendor reports cached_tokens, and its package does not read them',
  },
  {
    fields: ['reasoning'],
    vendor: /^cohere$/,
    recording: /tool-(?:call|plan)/,
    when: (direct) => direct === '',
    reason:
      'what the vendor calls the plan of its tool calls is told as reasoning; its package leaves it out',
  },
  {
    fields: ['usage.output'],
    vendor: /^(?:xai|openai-compatible)$/,
    dialect: /^(?:responses|anthropic|gemini)$/,
    when: (direct, through, left) => through === direct + left.usage.reasoning,
    reason:
      'xAI counts thoughts beside its output, every other dialect within it; what is charged is the sum',
  },
  {
    fields: ['finish'],
    vendor: /^anthropic$/,
    dialect: /^(?:openai chat|responses|gemini)$/,
    recording: /paused/,
    when: (direct, through) => direct === 'stop' && through === 'length',
    reason:
      "an answer that pauses is not over: the vendor's package reports a stop, APIs without the word report a cut",
  },
  {
    fields: ['serverTools'],
    vendor: /^anthropic$/,
    dialect: /^(?:openai chat|responses|gemini)$/,
    when: (_direct, through) => isNone(through),
    reason: 'what the vendor ran itself is told by its own dialect; others have no word for it',
  },
  {
    fields: ['serverTools'],
    vendor: RESPONSES_VENDORS,
    dialect: /^(?:openai chat|anthropic|gemini)$/,
    when: (_direct, through) => isNone(through),
    reason: 'what the vendor ran itself is told by its own dialect; others have no word for it',
  },
  {
    fields: ['toolCalls'],
    vendor: RESPONSES_VENDORS,
    dialect: /^(?:openai chat|anthropic|gemini)$/,
    when: (direct, through) => isNone(through) && direct.every(({ name }) => OWN_TOOLS.has(name)),
    reason: 'tools of the Responses API that callers of other dialects cannot ask for',
  },
  {
    fields: ['finish'],
    vendor: RESPONSES_VENDORS,
    dialect: /^(?:openai chat|anthropic|gemini)$/,
    when: (_direct, through, left) =>
      through === 'stop' &&
      left.toolCalls.length > 0 &&
      left.toolCalls.every(({ name }) => OWN_TOOLS.has(name)),
    reason: 'without those calls the answer ends by itself',
  },
  {
    fields: ['toolCalls'],
    vendor: RESPONSES_VENDORS,
    dialect: /^(?:anthropic|gemini)$/,
    when: (direct, through) => isDeepStrictEqual(asArgument(direct), through),
    reason: 'tools of plain text are functions with one argument where tools take JSON only',
  },
  {
    fields: ['failed'],
    vendor: RESPONSES_VENDORS,
    dialect: /^openai chat$/,
    recording: /custom-tool/,
    reason: 'calls of tools of plain text are a kind of their own in chats, which this package does not know',
  },
  {
    fields: ['sources'],
    vendor: RESPONSES_VENDORS,
    dialect: /^(?:openai chat|anthropic|gemini)$/,
    when: (direct, through) =>
      through.length > 0 && through.every((url) => direct.includes(url) || direct.includes(untagged(url))),
    reason:
      'pages a search looked at belong to that search, which only the own dialect tells; those the answer cites are there',
  },
  {
    fields: ['sources'],
    vendor: /^perplexity$/,
    dialect: /^openai chat$/,
    when: (_direct, through) => isNone(through),
    reason: 'the vendor’s own member passes untouched; its own package reads it, the general one does not',
  },
  {
    fields: ['reasoning'],
    vendor: /^open-responses$/,
    dialect: /^responses$/,
    when: (_direct, through) => through === '',
    reason: 'events of open models pass untouched; their own package reads them, OpenAI’s does not',
  },
  {
    fields: ['failed'],
    vendor: /^xai responses$/,
    dialect: /^responses$/,
    recording: /code-execution/,
    reason: 'members of xAI’s own pass untouched; its own package reads them, OpenAI’s refuses them',
  },
  {
    fields: ['serverTools'],
    vendor: /^google$/,
    dialect: /^responses$/,
    recording: /picture/,
    when: (direct, through) => isNone(direct) && isDeepStrictEqual(through, ['image_generation']),
    reason:
      'a picture in an answer is what the picture tool of this dialect made; its packages have no other place',
  },
  {
    fields: ['text'],
    dialect: /^anthropic$/,
    when: (direct, through) => through.replaceAll(/!\[image\]\([^)]*\)/g, '') === direct,
    reason: 'answers of this dialect hold no pictures; the text shows them',
  },
  {
    fields: ['finish'],
    vendor: /^anthropic$/,
    dialect: /^(?:responses|gemini)$/,
    recording: /programmatic-tool-calling/,
    when: (direct, through, left) =>
      direct === 'stop' && through === 'tool-calls' && left.toolCalls.length > 0,
    reason: 'these dialects have no ending for calls: packages tell it from the calls themselves',
  },
  {
    fields: ['result'],
    vendor: /embedding$/,
    dialect: /^gemini$/,
    when: (direct, through) =>
      isDeepStrictEqual(direct.embeddings, through.embeddings) && through.tokens === undefined,
    reason: 'the package of this dialect reads no usage of vectors',
  },
  {
    fields: ['usage.cacheWrite'],
    dialect: /^(?:openai chat|gemini)$/,
    when: (_direct, through, left, right) =>
      isNothing(through) && isDeepStrictEqual(left.usage.input, right.usage.input),
    reason: 'counted within the input; the packages of these dialects read no number of their own for it',
  },
  {
    fields: ['usage.input', 'usage.output', 'usage.cacheRead'],
    vendor: /^(?:groq|moonshotai)$/,
    dialect: /^openai chat$/,
    when: (_direct, through) => isNothing(through),
    reason:
      'the vendor’s own place for figures passes untouched; its own package reads it, the general one does not',
  },
  {
    fields: ['reasoning'],
    vendor: /^mistral$/,
    dialect: /^own package$/,
    when: (direct, through) => direct !== '' && through === '',
    reason:
      'chat clients read content as a text and thoughts as reasoning_content; the vendor’s package reads thoughts from parts only',
  },
];
