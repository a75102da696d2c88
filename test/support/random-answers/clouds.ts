import { inGroups, split, type Answered, type Written } from './answered.js';

type Json = Record<string, unknown>;

/** Baidu's first interface: one text. */
export function baiduAnswer(answered: Answered): Written {
  const { usage, step, ending } = answered;
  const told = {
    prompt_tokens: usage.fresh,
    completion_tokens: usage.output,
    total_tokens: usage.fresh + usage.output,
  };
  const head = { id: 'as-1', object: 'chat.completion', created: 1_800_000_000 };
  const end = { finish_reason: ending === 'length' ? 'length' : 'normal', need_clear_history: false };
  const text = inGroups(answered).text || 'end.';
  const pieces = split(text, step).map((result) => ({ ...head, result, is_end: false, usage: told }));
  return {
    whole: { ...head, result: text, ...end, usage: told },
    events: pieces.concat({ ...head, result: '', is_end: true, ...end, usage: told } as (typeof pieces)[0]),
    framing: 'sse',
  };
}

/** A library of documents at AI Proxy: one text, and no figures. */
export function libraryAnswer(answered: Answered): Written {
  const text = inGroups(answered).text || 'end.';
  const documents = [{ title: 'Rain', url: 'https://a.example/rain' }];
  const piece = (content: string, finish: boolean): Json => ({ content, finish, model: 'm', documents });
  return {
    whole: { success: true, answer: text, documents },
    events: split(text, answered.step)
      .map((content) => piece(content, false))
      .concat(piece('', true)),
    framing: 'sse',
  };
}

/** Coze: a thought and a text, always streamed. */
export function cozeAnswer(answered: Answered): Written {
  const { usage, step } = answered;
  const { thought, text } = inGroups(answered);
  const said = text || 'end.';
  const head = { id: 'm', chat_id: 'c', role: 'assistant', type: 'answer' };
  const piece = (words: Json): Json => ({ event: 'conversation.message.delta', data: { ...head, ...words } });
  const figures = {
    token_count: usage.fresh + usage.output,
    input_count: usage.fresh,
    output_count: usage.output,
  };
  return {
    events: split(thought, step)
      .map((words) => piece({ content: '', reasoning_content: words }))
      .concat(
        split(said, step).map((content) => piece({ content })),
        { event: 'conversation.message.completed', data: { ...head, content: said } },
        { event: 'conversation.chat.completed', data: { id: 'c', usage: figures } },
        { event: 'done', data: '[DONE]' },
      ),
    framing: 'sse-event',
  };
}

/** Tencent's own interface: OpenAI's answers in other letters. */
export function tencentAnswer(answered: Answered): Written {
  const { usage, ending, step } = answered;
  const { thought, text, calls } = inGroups(answered);
  const Usage = {
    PromptTokens: usage.fresh,
    CompletionTokens: usage.output,
    TotalTokens: usage.fresh + usage.output,
  };
  const FinishReason = ending === 'length' ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop';
  const head = { Id: 't', Created: 1_800_000_000, Usage };
  const made = calls.map(({ name, args }, Index) => ({
    Id: `call_${Index}`,
    Type: 'function',
    Index,
    Function: { Name: name, Arguments: JSON.stringify(args) },
  }));
  const piece = (Delta: Json, more: Json = {}): Json => ({ ...head, Choices: [{ Delta, ...more }] });
  const inputs = made.flatMap((call) => {
    const begun = { ...call, Function: { Name: call.Function.Name, Arguments: '' } };
    const rest = split(call.Function.Arguments, step).map((Arguments) => ({
      ToolCalls: [{ Index: call.Index, Function: { Name: '', Arguments } }],
    }));
    return [piece({ ToolCalls: [begun] })].concat(rest.map((one) => piece(one)));
  });
  const Message = {
    Role: 'assistant',
    Content: text,
    ReasoningContent: thought,
    ...(made.length === 0 ? {} : { ToolCalls: made }),
  };
  return {
    whole: { Response: { ...head, RequestId: 'r', Choices: [{ FinishReason, Message }] } },
    events: split(thought, step)
      .map((ReasoningContent) => piece({ ReasoningContent }))
      .concat(
        split(text, step).map((Content) => piece({ Content })),
        inputs,
        piece({ Content: '' }, { FinishReason }),
      ),
    framing: 'sse',
  };
}
