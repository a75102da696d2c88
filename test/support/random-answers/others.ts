import { inGroups, seal, split, type Answered, type Written } from './answered.js';

type Json = Record<string, unknown>;

/** Google's generateContent: streams bring a few words of a part per document, calls whole. */
export function geminiAnswer({ pieces, ending, usage, step }: Answered): Written {
  let isCalled = false;
  const parts: Json[] = pieces.map((piece) => {
    switch (piece.kind) {
      case 'thought':
        return { text: piece.words, thought: true };
      case 'text':
        return { text: piece.words };
      case 'call': {
        // Parallel calls: only the first is signed.
        const signature = isCalled ? {} : { thoughtSignature: seal(piece.name) };
        isCalled = true;
        return { functionCall: { name: piece.name, args: piece.args }, ...signature };
      }
    }
  });
  const { text, sources: cited } = inGroups({ pieces, ending, usage, step });
  // Its search is used without other tools: nothing follows the words it is cited for.
  const sources =
    pieces.at(-1)?.kind === 'text' ? [...new Map(cited.map((page) => [page.url, page])).values()] : [];
  // The words since the last call or thought.
  const from = pieces.findLastIndex(({ kind }) => kind !== 'text') + 1;
  const last = inGroups({ pieces: pieces.slice(from), ending, usage, step }).text;
  const groundingMetadata = {
    webSearchQueries: ['weather'],
    groundingChunks: sources.map(({ url, title }) => ({ web: { uri: url, title } })),
    groundingSupports: sources.map((_page, at) => ({
      segment: {
        startIndex: Buffer.byteLength(text) - Buffer.byteLength(last),
        endIndex: Buffer.byteLength(text),
        text: last,
      },
      groundingChunkIndices: [at],
    })),
  };
  const end = {
    finishReason: ending === 'length' ? 'MAX_TOKENS' : 'STOP',
    ...(sources.length === 0 ? {} : { groundingMetadata }),
  };
  const document = (content: readonly Json[], more: Json): Json => ({
    candidates: [{ content: { role: 'model', parts: content }, index: 0, ...more }],
    usageMetadata: {
      promptTokenCount: usage.fresh + usage.cached,
      cachedContentTokenCount: usage.cached,
      candidatesTokenCount: usage.output - usage.thinking,
      thoughtsTokenCount: usage.thinking,
      totalTokenCount: usage.fresh + usage.cached + usage.output,
    },
    modelVersion: 'model-up',
    responseId: 'resp-1',
  });
  // The last words are signed, in an empty part behind them.
  if (last !== '') parts.push({ text: '', thoughtSignature: seal(last) });
  const streamed = parts.flatMap((part): readonly Json[] =>
    typeof part['text'] === 'string' && part['text'] !== ''
      ? split(part['text'], step).map((words) => ({ ...part, text: words }))
      : [part],
  );
  return {
    whole: document(parts, end),
    events: [...streamed.map((part) => document([part], {})), document([{ text: '' }], end)],
    framing: 'sse',
  };
}

/** Cohere: words beside calls are the plan. */
export function cohereAnswer(answered: Answered): Written {
  const { thought, text, calls } = inGroups(answered);
  const { usage, ending, step } = answered;
  const finish_reason = ending === 'length' ? 'MAX_TOKENS' : calls.length > 0 ? 'TOOL_CALL' : 'COMPLETE';
  const told = {
    billed_units: { input_tokens: usage.fresh, output_tokens: usage.output },
    tokens: { input_tokens: usage.fresh, output_tokens: usage.output },
  };
  const content: Json[] = [
    ...(thought === '' ? [] : [{ type: 'thinking', thinking: thought }]),
    ...(text === '' ? [] : [{ type: 'text', text }]),
  ];
  const made = calls.map(({ name, args }, at) => ({
    id: `call_${at}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }));
  const events: Json[] = [
    { type: 'message-start', id: 'cohere-1', delta: { message: { role: 'assistant' } } },
  ];
  for (const [index, part] of content.entries()) {
    const name = part['type'] === 'text' ? 'text' : 'thinking';
    const told = (words: string, more: Json = {}): Json => ({
      message: { content: { ...more, [name]: words } },
    });
    events.push({ type: 'content-start', index, delta: told('', { type: name }) });
    for (const words of split(String(part[name]), step))
      events.push({ type: 'content-delta', index, delta: told(words) });
    events.push({ type: 'content-end', index });
  }
  for (const [index, call] of made.entries()) {
    const begun = { ...call, function: { ...call.function, arguments: '' } };
    events.push({ type: 'tool-call-start', index, delta: { message: { tool_calls: begun } } });
    for (const words of split(call.function.arguments, step))
      events.push({
        type: 'tool-call-delta',
        index,
        delta: { message: { tool_calls: { function: { arguments: words } } } },
      });
    events.push({ type: 'tool-call-end', index });
  }
  events.push({ type: 'message-end', delta: { finish_reason, usage: told } });
  const message = { role: 'assistant', content, ...(made.length === 0 ? {} : { tool_calls: made }) };
  return { whole: { id: 'cohere-1', finish_reason, message, usage: told }, events, framing: 'sse' };
}

/** Ollama: lines of JSON, calls whole and without ids. */
export function ollamaAnswer(answered: Answered): Written {
  const { thought, text, calls } = inGroups(answered);
  const { usage, ending, step } = answered;
  const head = { model: 'model-up', created_at: '2027-01-15T08:00:00.25Z' };
  const end = {
    done: true,
    done_reason: ending === 'length' ? 'length' : 'stop',
    prompt_eval_count: usage.fresh,
    eval_count: usage.output,
  };
  const tool_calls = calls.map(({ name, args }) => ({ function: { name, arguments: args } }));
  const line = (message: Json): Json => ({
    ...head,
    message: { role: 'assistant', content: '', ...message },
    done: false,
  });
  return {
    whole: {
      ...head,
      message: {
        role: 'assistant',
        content: text,
        ...(thought === '' ? {} : { thinking: thought }),
        ...(tool_calls.length === 0 ? {} : { tool_calls }),
      },
      ...end,
    },
    events: [
      ...split(thought, step).map((thinking) => line({ thinking })),
      ...split(text, step).map((content) => line({ content })),
      ...tool_calls.map((call) => line({ tool_calls: [call] })),
      { ...head, message: { role: 'assistant', content: '' }, ...end },
    ],
    framing: 'lines',
  };
}

/** Dify: a text and nothing else. */
export function difyAnswer(answered: Answered): Written {
  const { usage, step } = answered;
  const told = {
    prompt_tokens: usage.fresh,
    completion_tokens: usage.output,
    total_tokens: usage.fresh + usage.output,
  };
  const head = { message_id: 'dify-1', created_at: 1_800_000_000 };
  const text = inGroups(answered).text || 'end.';
  return {
    whole: { event: 'message', ...head, answer: text, metadata: { usage: told } },
    events: [
      ...split(text, step).map((answer) => ({ event: 'message', ...head, answer })),
      { event: 'message_end', ...head, metadata: { usage: told } },
    ],
    framing: 'sse',
  };
}
