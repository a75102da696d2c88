import { seal, split, type Answered, type Piece, type Written } from './answered.js';

type Json = Record<string, unknown>;

const stopOf = ({ pieces, ending }: Answered): string =>
  ending === 'length' ? 'max_tokens' : pieces.some(({ kind }) => kind === 'call') ? 'tool_use' : 'end_turn';

function blockOf(piece: Piece, at: number): Json {
  switch (piece.kind) {
    case 'thought':
      return { type: 'thinking', thinking: piece.words, signature: seal(piece.words) };
    case 'text': {
      const citations = piece.sources.map((page) => ({
        type: 'web_search_result_location',
        cited_text: piece.words,
        encrypted_index: 'aW5kZXg=',
        ...page,
      }));
      return { type: 'text', text: piece.words, ...(citations.length === 0 ? {} : { citations }) };
    }
    case 'call':
      return { type: 'tool_use', id: `toolu_${at}`, name: piece.name, input: piece.args };
  }
}

/** Anthropic's Messages. */
export function messagesAnswer(answered: Answered): Written {
  const { pieces, usage, step } = answered;
  const content = pieces.map(blockOf);
  const told = {
    input_tokens: usage.fresh,
    cache_read_input_tokens: usage.cached,
    cache_creation_input_tokens: 0,
    output_tokens: usage.output,
  };
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'model-up',
    content,
    stop_reason: stopOf(answered),
    stop_sequence: null,
    usage: told,
  };
  const events: Json[] = [
    {
      type: 'message_start',
      message: { ...message, content: [], stop_reason: null, usage: { ...told, output_tokens: 1 } },
    },
  ];
  for (const [index, piece] of pieces.entries()) {
    const delta = (value: Json): void => {
      events.push({ type: 'content_block_delta', index, delta: value });
    };
    const block = content[index] ?? {};
    const start = (content_block: Json): void => {
      events.push({ type: 'content_block_start', index, content_block });
    };
    if (piece.kind === 'thought') {
      start({ type: 'thinking', thinking: '', signature: '' });
      for (const thinking of split(piece.words, step)) delta({ type: 'thinking_delta', thinking });
      delta({ type: 'signature_delta', signature: block['signature'] });
    } else if (piece.kind === 'text') {
      const citations = Array.isArray(block['citations']) ? (block['citations'] as unknown[]) : [];
      start({ type: 'text', text: '', ...(citations.length === 0 ? {} : { citations: [] }) });
      for (const text of split(piece.words, step)) delta({ type: 'text_delta', text });
      for (const citation of citations) delta({ type: 'citations_delta', citation });
    } else {
      start({ ...block, input: {} });
      const json = JSON.stringify(piece.args);
      // A call without arguments has no piece but an empty one.
      for (const partial_json of json === '{}' ? [''] : split(json, step))
        delta({ type: 'input_json_delta', partial_json });
    }
    events.push({ type: 'content_block_stop', index });
  }
  events.push(
    {
      type: 'message_delta',
      delta: { stop_reason: message.stop_reason, stop_sequence: null },
      usage: told,
    },
    { type: 'message_stop' },
  );
  return { whole: message, events, framing: 'sse-named' };
}

/** Bedrock's Converse. */
export function converseAnswer(answered: Answered): Written {
  const { pieces, usage, step } = answered;
  const content = pieces.map((piece, at): Json => {
    switch (piece.kind) {
      case 'thought':
        return { reasoningContent: { reasoningText: { text: piece.words, signature: seal(piece.words) } } };
      case 'text':
        return { text: piece.words };
      case 'call':
        return { toolUse: { toolUseId: `tooluse_${at}`, name: piece.name, input: piece.args } };
    }
  });
  const told = {
    inputTokens: usage.fresh,
    cacheReadInputTokens: usage.cached,
    outputTokens: usage.output,
    totalTokens: usage.fresh + usage.cached + usage.output,
  };
  const stopReason = stopOf(answered);
  const events: Json[] = [{ messageStart: { role: 'assistant' } }];
  for (const [contentBlockIndex, piece] of pieces.entries()) {
    const delta = (value: Json): void => {
      events.push({ contentBlockDelta: { contentBlockIndex, delta: value } });
    };
    if (piece.kind === 'thought') {
      for (const text of split(piece.words, step)) delta({ reasoningContent: { text } });
      delta({ reasoningContent: { signature: seal(piece.words) } });
    } else if (piece.kind === 'text') for (const text of split(piece.words, step)) delta({ text });
    else {
      const toolUse = { toolUseId: `tooluse_${contentBlockIndex}`, name: piece.name };
      events.push({ contentBlockStart: { contentBlockIndex, start: { toolUse } } });
      const json = JSON.stringify(piece.args);
      if (json !== '{}') for (const input of split(json, step)) delta({ toolUse: { input } });
    }
    events.push({ contentBlockStop: { contentBlockIndex } });
  }
  events.push({ messageStop: { stopReason } }, { metadata: { usage: told } });
  return {
    whole: { output: { message: { role: 'assistant', content } }, stopReason, usage: told },
    events,
    framing: 'aws',
  };
}
