/**
 * Features each format can carry, found by trial: every feature of the neutral model is written through every format, and the
 * output is checked. Pure functions over the registries of relay-core, for docs/providers.md and for the golden test that refuses
 * silence: a feature is carried, or named in a warning.
 */

const user = (content) => ({ role: 'user', content });
const text = (words) => ({ type: 'text', text: words });
const HELLO = [user([text('hello')])];
const TOOL = {
  type: 'function',
  name: 'weather',
  description: 'Tells it',
  parameters: { type: 'object', properties: {} },
};
const CALL = { type: 'tool-call', callId: 'call_1', name: 'weather', json: '{"city":"Oslo"}' };
const SCHEMA = {
  type: 'object',
  properties: { a: { type: 'string' } },
  required: ['a'],
  additionalProperties: false,
};
const withPart = (part) => ({ messages: [user([text('look'), part])] });
const media = (type, source, more = {}) => withPart({ type, source, ...more });
const bytes = (mediaType) => ({ kind: 'base64', base64: 'AAECAwQ=', mediaType });
const replayed = (part) => ({
  tools: [TOOL],
  messages: [
    ...HELLO,
    { role: 'assistant', content: [part, CALL] },
    { role: 'tool', callId: 'call_1', name: 'weather', content: [text('rain')] },
  ],
});
const toolResult = (more) => ({
  tools: [TOOL],
  messages: [
    ...HELLO,
    { role: 'assistant', content: [CALL] },
    { role: 'tool', callId: 'call_1', name: 'weather', content: [text('rain')], ...more },
  ],
});
const signature = (by) => ({ by, data: 'c2lnbmVk', id: 'rs_1' });

/** A feature: a request `with` it, and the same request `without`; absent = a plain hello. */
export const REQUEST_FEATURES = [
  {
    title: 'system instructions',
    with: { messages: [{ role: 'system', content: [text('Be exact.')] }, ...HELLO] },
  },
  {
    title: 'developer instructions',
    with: { messages: [{ role: 'developer', content: [text('Be exact.')] }, ...HELLO] },
  },
  {
    title: 'pictures by address',
    with: media('image', { kind: 'url', url: 'https://a.example/b.png' }),
    without: withPart(text('')),
  },
  { title: 'pictures by bytes', with: media('image', bytes('image/png')) },
  {
    title: 'how closely a picture is looked at',
    with: media('image', bytes('image/png'), { detail: 'high' }),
    without: media('image', bytes('image/png')),
  },
  { title: 'sound by bytes', with: media('audio', bytes('audio/wav')) },
  { title: 'video by bytes', with: media('video', bytes('video/mp4')) },
  { title: 'documents by bytes', with: media('file', bytes('application/pdf'), { fileName: 'a.pdf' }) },
  { title: 'tools', with: { tools: [TOOL] } },
  { title: 'strict tools', with: { tools: [{ ...TOOL, isStrict: true }] }, without: { tools: [TOOL] } },
  {
    title: 'a tool that must be called',
    with: { tools: [TOOL], toolChoice: { type: 'required' } },
    without: { tools: [TOOL] },
  },
  {
    title: 'one tool that must be called',
    with: { tools: [TOOL], toolChoice: { type: 'named', name: 'weather' } },
    without: { tools: [TOOL] },
  },
  {
    title: 'no tool may be called',
    with: { tools: [TOOL], toolChoice: { type: 'none' } },
    without: { tools: [TOOL] },
  },
  {
    title: 'one tool call at a time',
    with: { tools: [TOOL], parallelToolCalls: false },
    without: { tools: [TOOL] },
  },
  { title: 'tool calls and their results', with: toolResult({}), without: { tools: [TOOL] } },
  { title: 'failed tools', with: toolResult({ isError: true }), without: toolResult({}) },
  {
    title: 'pictures in tool results',
    with: toolResult({ content: [text('rain'), { type: 'image', source: bytes('image/png') }] }),
    without: toolResult({}),
  },
  { title: 'the vendor’s web search', with: { tools: [{ type: 'web-search', maxUses: 3 }] } },
  { title: 'output cap', with: { maxOutputTokens: 1234 } },
  { title: 'temperature', with: { temperature: 0.37 } },
  { title: 'top_p', with: { topP: 0.61 } },
  { title: 'top_k', with: { topK: 17 } },
  { title: 'frequency penalty', with: { frequencyPenalty: 0.4 } },
  { title: 'presence penalty', with: { presencePenalty: 0.4 } },
  { title: 'seed', with: { seed: 99 } },
  { title: 'stop sequences', with: { stop: ['END'] } },
  { title: 'several answers', with: { choices: 2 } },
  { title: 'JSON answers', with: { responseFormat: { type: 'json' } } },
  {
    title: 'answers by schema',
    with: { responseFormat: { type: 'json-schema', name: 'shape', schema: SCHEMA, isStrict: true } },
  },
  { title: 'reasoning effort', with: { reasoning: { effort: 'high' } } },
  {
    title: 'reasoning budget',
    with: { reasoning: { budgetTokens: 2048 }, maxOutputTokens: 8000 },
    without: { maxOutputTokens: 8000 },
  },
  {
    title: 'thoughts shown',
    with: { reasoning: { effort: 'high', summary: 'auto' } },
    without: { reasoning: { effort: 'high', summary: 'none' } },
  },
  {
    title: 'replayed thoughts with Anthropic’s signature',
    with: replayed({ type: 'reasoning', text: 'hm', signature: signature('anthropic') }),
    without: toolResult({}),
  },
  {
    title: 'replayed thoughts with Google’s signature',
    with: replayed({ type: 'reasoning', text: 'hm', signature: signature('google') }),
    without: toolResult({}),
  },
  {
    title: 'replayed thoughts with OpenAI’s encryption',
    with: replayed({ type: 'reasoning', text: 'hm', signature: signature('openai') }),
    without: toolResult({}),
  },
  {
    title: 'marks of cached prefixes',
    with: withPart({ ...text('long'), cache: { ttl: '1h' } }),
    without: withPart(text('long')),
  },
  { title: 'end user', with: { user: 'ada' } },
];

const EDITS = {
  upstreamModel: 'probe',
  reportUsage: false,
  dropStreamOptions: false,
  outputCap: undefined,
  usesCompletionCap: false,
  refusedMembers: [],
};
const PLAIN = { model: 'probe', messages: HELLO, choices: 1, stream: false, wantsStreamUsage: false };

/**
 * Result of a feature on the way to a format.
 * @returns {{verdict: 'carried' | 'refused' | 'warned' | 'silent', reason: string}} `silent` is a fault of the format
 */
export function probeRequest(apiFormat, feature) {
  const refusal = apiFormat.refuseRequest?.({ ...PLAIN, ...feature.with });
  if (refusal !== undefined) return { verdict: 'refused', reason: refusal.message };
  const without = apiFormat.writeRequest({ ...PLAIN, ...feature.without }, EDITS);
  const written = apiFormat.writeRequest({ ...PLAIN, ...feature.with }, EDITS);
  const before = new Set(without.warnings.map(({ setting, reason }) => `${setting}: ${reason}`));
  const warnings = written.warnings.filter(({ setting, reason }) => !before.has(`${setting}: ${reason}`));
  if (warnings.length > 0) return { verdict: 'warned', reason: warnings[0].reason };
  return written.body.equals(without.body)
    ? { verdict: 'silent', reason: 'nothing of it is in the request' }
    : { verdict: 'carried', reason: '' };
}

const reply = (content, finish = { unified: 'stop', raw: undefined }, usage = {}) => ({
  id: 'probe',
  servedModel: 'probe',
  createdAtSeconds: 1_760_000_000,
  choices: [{ content, finish }],
  usage: {
    input: { total: 100, ...usage.input },
    output: { total: 50, ...usage.output },
  },
});
const answer = (...content) => reply([...content, text('Rain.')]);
const partsOf = (type) => (read) => read.choices[0]?.content.filter((part) => part.type === type) ?? [];
const same = (look, value) => (read) => JSON.stringify(look(read)) === JSON.stringify(value);

/** A feature of answers: a neutral reply that has it, and whether what was read back still has it. */
export const REPLY_FEATURES = [
  {
    title: 'text',
    reply: answer(),
    survives: same(
      (read) =>
        partsOf('text')(read)
          .map((part) => part.text)
          .join(''),
      'Rain.',
    ),
  },
  {
    title: 'reasoning',
    reply: answer({ type: 'reasoning', text: 'hm' }),
    survives: same(
      (read) =>
        partsOf('reasoning')(read)
          .map((part) => part.text)
          .join(''),
      'hm',
    ),
  },
  ...['anthropic', 'google', 'openai'].map((by) => ({
    title: `signed reasoning (${by})`,
    reply: answer({ type: 'reasoning', text: 'hm', signature: signature(by) }),
    survives: (read) =>
      partsOf('reasoning')(read).some(
        (part) => part.signature?.by === by && part.signature.data === 'c2lnbmVk',
      ),
  })),
  {
    title: 'withheld reasoning',
    reply: answer({ type: 'reasoning', text: '', isRedacted: true, signature: signature('anthropic') }),
    survives: (read) => partsOf('reasoning')(read).some((part) => part.signature?.data === 'c2lnbmVk'),
  },
  {
    title: 'refusals',
    reply: reply([{ type: 'refusal', text: 'No.' }]),
    survives: (read) =>
      partsOf('refusal')(read).length === 1 ||
      // Without a field for it: the sentence, and a finish reason that marks the refusal.
      (partsOf('text')(read)[0]?.text === 'No.' && read.choices[0].finish?.unified === 'content-filter'),
  },
  {
    title: 'parallel tool calls',
    reply: reply([text('Look.'), CALL, { ...CALL, callId: 'call_2', json: '{}' }], {
      unified: 'tool-calls',
      raw: undefined,
    }),
    survives: (read) => {
      const calls = partsOf('tool-call')(read);
      return (
        calls.length === 2 &&
        calls[0].name === 'weather' &&
        JSON.stringify(JSON.parse(calls[0].json)) === CALL.json
      );
    },
  },
  {
    title: 'signed tool calls (google)',
    reply: reply([{ ...CALL, signature: { by: 'google', data: 'c2lnbmVk' } }], {
      unified: 'tool-calls',
      raw: undefined,
    }),
    survives: (read) =>
      partsOf('tool-call')(read)[0]?.signature?.data === 'c2lnbmVk' ||
      partsOf('reasoning')(read).some((part) => part.signature?.data === 'c2lnbmVk'),
  },
  {
    title: 'sources',
    reply: answer({ type: 'source', source: { url: 'https://a.example/', title: 'A' } }),
    survives: (read) => partsOf('source')(read).some((part) => part.source.url === 'https://a.example/'),
  },
  {
    title: 'pictures',
    reply: answer({ type: 'image', source: bytes('image/png') }),
    survives: (read) => partsOf('image')(read)[0]?.source.base64 === 'AAECAwQ=',
  },
  ...['stop', 'length', 'content-filter'].map((unified) => ({
    title: `finish: ${unified}`,
    reply: reply([text('Rain.')], { unified, raw: undefined }),
    survives: same((read) => read.choices[0]?.finish?.unified, unified),
  })),
  {
    title: 'which stop sequence',
    reply: reply([text('Rain.')], { unified: 'stop', raw: undefined, stopSequence: 'END' }),
    survives: same((read) => read.choices[0]?.finish?.stopSequence, 'END'),
  },
  {
    title: 'tokens in and out',
    reply: answer(),
    survives: (read) => read.usage?.input.total === 100 && read.usage.output.total === 50,
  },
  {
    title: 'tokens read from the cache',
    reply: reply([text('Rain.')], undefined, { input: { cacheRead: 40 } }),
    survives: (read) => read.usage?.input.total === 100 && read.usage.input.cacheRead === 40,
  },
  {
    title: 'tokens written to the cache',
    reply: reply([text('Rain.')], undefined, { input: { cacheWrite: 30 } }),
    survives: (read) => read.usage?.input.total === 100 && read.usage.input.cacheWrite === 30,
  },
  {
    title: 'tokens cached for an hour',
    reply: reply([text('Rain.')], undefined, { input: { cacheWrite: 30, cacheWrite1h: 10 } }),
    survives: (read) => read.usage?.input.cacheWrite === 30 && read.usage.input.cacheWrite1h === 10,
  },
  {
    title: 'reasoning tokens',
    reply: reply([text('Rain.')], undefined, { output: { reasoning: 20 } }),
    survives: (read) => read.usage?.output.total === 50 && read.usage.output.reasoning === 20,
  },
  {
    title: 'audio tokens',
    reply: reply([text('Rain.')], undefined, { input: { audio: 5 }, output: { audio: 7 } }),
    survives: (read) => read.usage?.input.audio === 5 && read.usage.output.audio === 7,
  },
  {
    title: 'several answers',
    reply: { ...answer(), choices: [answer().choices[0], answer().choices[0]] },
    survives: (read) => read.choices.length === 2,
  },
];

const NO_STOP = 'the answer does not name the stop sequence that ended it';
const NO_HOUR = 'the grammar counts cache writes of all lifetimes together';
const ONE_ANSWER = 'the grammar holds one answer';
const TEXT_ONLY = 'the grammar holds text only';

/** Features a dialect has no words for; everything else must survive. Reviewed: operators see each row. */
export const NO_WORDS = {
  'openai-chat': { 'which stop sequence': NO_STOP, 'tokens cached for an hour': NO_HOUR },
  'openai-responses': {
    'which stop sequence': NO_STOP,
    'tokens cached for an hour': NO_HOUR,
    'several answers': ONE_ANSWER,
  },
  'openai-completions': {
    reasoning: TEXT_ONLY,
    'signed reasoning (anthropic)': TEXT_ONLY,
    'signed reasoning (google)': TEXT_ONLY,
    'signed reasoning (openai)': TEXT_ONLY,
    'withheld reasoning': TEXT_ONLY,
    'parallel tool calls': TEXT_ONLY,
    'signed tool calls (google)': TEXT_ONLY,
    sources: TEXT_ONLY,
    pictures: TEXT_ONLY,
    'which stop sequence': NO_STOP,
    'tokens cached for an hour': NO_HOUR,
  },
  'anthropic-messages': {
    pictures: 'messages hold no pictures: the text gets one as Markdown',
    'audio tokens': 'the grammar counts tokens of all kinds together',
    'several answers': ONE_ANSWER,
  },
  'gemini-generate': {
    'which stop sequence': NO_STOP,
    'tokens written to the cache': 'the grammar counts what was read from the cache only',
    'tokens cached for an hour': 'the grammar counts what was read from the cache only',
  },
};

const CONTEXT = {
  callId: 'probe',
  createdAtSeconds: 1_760_000_000,
  model: 'probe',
  wantsStreamUsage: true,
};

/**
 * Checks that a feature of an answer reaches callers of a format: written for them and read back in the same API format.
 * @param call  the request, parsed by the format
 */
export function probeReply(apiFormat, feature, call) {
  const read = apiFormat.readReply(apiFormat.writeReply(feature.reply, CONTEXT, call), call);
  return read.ok && feature.survives(read.value);
}

/**
 * The same for streams: the events of the reply, written as frames, cut apart and read back.
 * @param tools  `replyToEvents`, `ReplyCollector` of the pipeline and `openFramer`
 */
export function probeStream(apiFormat, feature, call, { replyToEvents, ReplyCollector, openFramer }) {
  const writer = apiFormat.openReplyWriter({ ...CONTEXT }, call);
  let frames = '';
  for (const event of replyToEvents(feature.reply)) frames += writer.write(event);
  frames += writer.end();
  const reader = apiFormat.openReplyReader(call);
  const collector = new ReplyCollector();
  const take = (events) => {
    for (const event of events) collector.write(event);
  };
  const framer = openFramer('sse', {
    onEvent: (_bytes, _rawStart, _rawEnd, data, start, end, name) => {
      const document = data.toString('utf8', start, end);
      if (end > start && document !== '[DONE]') take(reader.read(document, name));
      return true;
    },
  });
  framer.push(Buffer.from(frames));
  framer.finish();
  take(reader.finish());
  return feature.survives(collector.reply());
}
