import { inGroups, seal, split, type Answered, type Page, type Written } from './answered.js';

type Json = Record<string, unknown>;

/** A chat vendor that shows its thoughts and cites pages. */
export function chatAnswer(answered: Answered): Written {
  const { thought, text, sources, calls } = inGroups(answered);
  const { usage, step, ending } = answered;
  const head = { id: 'chatcmpl-1', created: 1_800_000_000, model: 'model-up' };
  const finish_reason = ending === 'length' ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop';
  const told = {
    prompt_tokens: usage.fresh + usage.cached,
    completion_tokens: usage.output,
    total_tokens: usage.fresh + usage.cached + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cached },
    completion_tokens_details: { reasoning_tokens: usage.thinking },
  };
  const annotations = sources.map((page) => ({
    type: 'url_citation',
    url_citation: { start_index: 0, end_index: text.length, ...page },
  }));
  const made = calls.map(({ name, args }, at) => ({
    id: `call_${at}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }));
  const chunk = (delta: Json, reason: string | null = null): Json => ({
    ...head,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: reason }],
  });
  return {
    whole: {
      ...head,
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: text === '' ? null : text,
            ...(thought === '' ? {} : { reasoning_content: thought }),
            ...(annotations.length === 0 ? {} : { annotations }),
            ...(made.length === 0 ? {} : { tool_calls: made }),
          },
          finish_reason,
        },
      ],
      usage: told,
    },
    events: [
      chunk({ role: 'assistant', content: '' }),
      ...split(thought, step).map((reasoning_content) => chunk({ reasoning_content })),
      ...split(text, step).map((content) => chunk({ content })),
      ...(annotations.length === 0 ? [] : [chunk({ annotations })]),
      ...made.map(({ function: called, ...call }, index) =>
        chunk({ tool_calls: [{ index, ...call, function: { ...called, arguments: '' } }] }),
      ),
      // Calls made together may come piece by piece in turn.
      ...inTurns(made.map((call) => split(call.function.arguments, step))).map(({ of, words }) =>
        chunk({ tool_calls: [{ index: of, function: { arguments: words } }] }),
      ),
      chunk({}, finish_reason),
      { ...head, object: 'chat.completion.chunk', choices: [], usage: told },
    ],
    framing: 'sse-done',
  };
}

function inTurns(all: readonly (readonly string[])[]): { readonly of: number; readonly words: string }[] {
  const longest = Math.max(0, ...all.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => at).flatMap((at) =>
    all.flatMap((parts, of) => (parts[at] === undefined ? [] : [{ of, words: parts[at] }])),
  );
}

const annotationsOf = (sources: readonly Page[], end_index: number): Json[] =>
  sources.map((page) => ({ type: 'url_citation', start_index: 0, end_index, ...page }));

/** OpenAI's Responses. */
export function responsesAnswer({ pieces, ending, usage, step }: Answered): Written {
  const output = pieces.map((piece, at): Json => {
    switch (piece.kind) {
      case 'thought':
        return {
          id: `rs_${at}`,
          type: 'reasoning',
          summary: [{ type: 'summary_text', text: piece.words }],
          ...(piece.isSigned ? { encrypted_content: seal(piece.words) } : {}),
        };
      case 'text':
        return {
          id: `msg_${at}`,
          type: 'message',
          status: 'completed',
          role: 'assistant',
          content: [
            {
              type: 'output_text',
              text: piece.words,
              annotations: annotationsOf(piece.sources, piece.words.length),
              logprobs: [],
            },
          ],
        };
      case 'call':
        return {
          id: `fc_${at}`,
          type: 'function_call',
          status: 'completed',
          call_id: `call_${at}`,
          name: piece.name,
          arguments: JSON.stringify(piece.args),
        };
    }
  });
  const isCut = ending === 'length';
  const response = {
    id: 'resp_1',
    object: 'response',
    created_at: 1_800_000_000,
    model: 'model-up',
    status: isCut ? 'incomplete' : 'completed',
    incomplete_details: isCut ? { reason: 'max_output_tokens' } : null,
    output,
    usage: {
      input_tokens: usage.fresh + usage.cached,
      input_tokens_details: { cached_tokens: usage.cached },
      output_tokens: usage.output,
      output_tokens_details: { reasoning_tokens: usage.thinking },
      total_tokens: usage.fresh + usage.cached + usage.output,
    },
  };
  const events: Json[] = [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [], usage: null } },
  ];
  for (const [output_index, item] of output.entries()) {
    const piece = pieces[output_index];
    if (piece === undefined) continue;
    const at = { item_id: item['id'], output_index };
    const begun = { status: 'in_progress' };
    if (piece.kind === 'thought') {
      events.push({ type: 'response.output_item.added', output_index, item: { ...item, summary: [] } });
      for (const delta of split(piece.words, step))
        events.push({ type: 'response.reasoning_summary_text.delta', ...at, summary_index: 0, delta });
    } else if (piece.kind === 'text') {
      events.push({
        type: 'response.output_item.added',
        output_index,
        item: { ...item, ...begun, content: [] },
      });
      const place = { ...at, content_index: 0 };
      for (const delta of split(piece.words, step))
        events.push({ type: 'response.output_text.delta', ...place, delta });
      for (const [annotation_index, annotation] of annotationsOf(piece.sources, piece.words.length).entries())
        events.push({
          type: 'response.output_text.annotation.added',
          ...place,
          annotation_index,
          annotation,
        });
    } else {
      events.push({
        type: 'response.output_item.added',
        output_index,
        item: { ...item, ...begun, arguments: '' },
      });
      for (const delta of split(JSON.stringify(piece.args), step))
        events.push({ type: 'response.function_call_arguments.delta', ...at, delta });
    }
    events.push({ type: 'response.output_item.done', output_index, item });
  }
  events.push({ type: isCut ? 'response.incomplete' : 'response.completed', response });
  return {
    whole: response,
    events: events.map((event, sequence_number) => ({ ...event, sequence_number })),
    framing: 'sse-named',
  };
}
