import OpenAI from 'openai';
import type { Session, Told } from './session.js';
import {
  DATA_LINK,
  EMPTY_SCHEMA,
  FIRST_QUESTION,
  FORM_SCHEMA,
  FORM_TURN,
  LOOKUP_SCHEMA,
  nextQuestion,
  OUTPUT_CAP,
  resultOf,
  SYSTEM,
} from '../../../support/strict-vendors/story.js';

export const responsesSession: Session = async ({ url, key, model, modelAt, isStreamed }) => {
  const client = new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 });
  const ask = (words: string): OpenAI.Responses.ResponseInputItem => ({
    role: 'user',
    content: [
      { type: 'input_text', text: words },
      { type: 'input_image', image_url: DATA_LINK, detail: 'auto' },
    ],
  });
  const input: OpenAI.Responses.ResponseInputItem[] = [ask(FIRST_QUESTION)];
  const told: Told[] = [];
  for (let turn = 0; turn <= FORM_TURN; turn += 1) {
    const body = {
      model: modelAt?.(turn) ?? model,
      input,
      instructions: SYSTEM,
      store: false,
      include: ['reasoning.encrypted_content' as const],
      reasoning: { effort: 'low' as const, summary: 'auto' as const },
      max_output_tokens: OUTPUT_CAP,
      tools: [
        {
          type: 'function' as const,
          name: 'lookup',
          description: 'Weather of days',
          parameters: LOOKUP_SCHEMA,
          strict: true,
        },
        {
          type: 'function' as const,
          name: 'now',
          description: 'The time',
          parameters: EMPTY_SCHEMA,
          strict: false,
        },
      ],
      ...(turn === FORM_TURN
        ? {
            text: {
              format: { type: 'json_schema' as const, name: 'place', schema: FORM_SCHEMA, strict: true },
            },
          }
        : {}),
    };
    const response = isStreamed
      ? await client.responses.stream(body).finalResponse()
      : await client.responses.create(body);
    const calls = response.output.flatMap((item) => (item.type === 'function_call' ? [item] : []));
    const thoughts = response.output.flatMap((item) => (item.type === 'reasoning' ? item.summary : []));
    told.push({
      text: response.output_text,
      thought: thoughts.map(({ text }) => text).join(''),
      calls: calls.map(({ name, arguments: args }) => ({ name, args: JSON.parse(args) as unknown })),
      usage: [
        response.usage?.input_tokens ?? -1,
        response.usage?.input_tokens_details.cached_tokens ?? -1,
        response.usage?.output_tokens ?? -1,
      ],
      reason: response.status ?? '',
    });
    for (const item of response.output) {
      // The package puts a parsed member beside what the vendor sent; everything else goes back as it came.
      if (item.type === 'function_call') {
        const { id, type, call_id, name, arguments: args } = item;
        input.push({ ...(id === undefined ? {} : { id }), type, call_id, name, arguments: args });
      } else if (item.type === 'message')
        input.push({
          ...item,
          content: item.content.map((part) =>
            part.type === 'output_text'
              ? { type: part.type, text: part.text, annotations: part.annotations }
              : part,
          ),
        });
      else if (item.type === 'reasoning') input.push(item);
    }
    for (const call of calls)
      input.push({
        type: 'function_call_output',
        call_id: call.call_id,
        output: resultOf(call.name, JSON.parse(call.arguments)),
      });
    if (calls.length === 0) input.push(ask(nextQuestion(turn)));
  }
  return told;
};
