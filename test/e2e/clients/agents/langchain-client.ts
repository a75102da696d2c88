import {
  AIMessageChunk,
  HumanMessage,
  SystemMessage,
  ToolMessage,
  type BaseMessage,
} from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
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

const TOOLS = [
  {
    type: 'function' as const,
    function: { name: 'lookup', description: 'Weather of days', parameters: LOOKUP_SCHEMA },
  },
  { type: 'function' as const, function: { name: 'now', description: 'The time', parameters: EMPTY_SCHEMA } },
];
const FORMAT = {
  type: 'json_schema' as const,
  json_schema: { name: 'place', schema: FORM_SCHEMA, strict: true },
};

/** LangChain's own chat model; it knows no thoughts of chats and drops them. */
export const langchainSession =
  (useResponsesApi: boolean): Session =>
  async ({ url, key, model, isStreamed }) => {
    const chat = new ChatOpenAI({
      apiKey: key,
      model,
      configuration: { baseURL: `${url}/v1` },
      maxRetries: 0,
      maxTokens: OUTPUT_CAP,
      useResponsesApi,
      // LangChain assumes that models with unknown names do not reason.
      ...(useResponsesApi
        ? { zdrEnabled: true, modelKwargs: { reasoning: { effort: 'low', summary: 'auto' } } }
        : { modelKwargs: { reasoning_effort: 'low' } }),
    });
    const ask = (words: string): HumanMessage =>
      new HumanMessage({
        content: [
          { type: 'text', text: words },
          { type: 'image_url', image_url: { url: DATA_LINK } },
        ],
      });
    const messages: BaseMessage[] = [new SystemMessage(SYSTEM), ask(FIRST_QUESTION)];
    const told: Told[] = [];
    for (let turn = 0; turn <= FORM_TURN; turn += 1) {
      const bound = chat.bindTools(TOOLS, {
        // Nothing is stored, so thoughts are requested in sealed form.
        ...(useResponsesApi ? { include: ['reasoning.encrypted_content' as const] } : {}),
        ...(turn === FORM_TURN ? { response_format: FORMAT } : {}),
      });
      let answer: AIMessageChunk | undefined;
      if (isStreamed) {
        for await (const chunk of await bound.stream(messages))
          answer = answer === undefined ? chunk : answer.concat(chunk);
      } else answer = new AIMessageChunk({ ...(await bound.invoke(messages)) });
      if (answer === undefined) throw new Error('no answer');
      const { usage_metadata: usage, tool_calls: calls = [] } = answer;
      told.push({
        text: answer.text,
        thought: '',
        calls: calls.map(({ name, args }) => ({ name, args })),
        usage: [
          usage?.input_tokens ?? -1,
          usage?.input_token_details?.cache_read ?? -1,
          usage?.output_tokens ?? -1,
        ],
        reason: calls.length > 0 ? 'tool-calls' : 'stop',
      });
      messages.push(answer);
      for (const { id = '', name, args } of calls)
        messages.push(new ToolMessage({ tool_call_id: id, name, content: resultOf(name, args) }));
      if (calls.length === 0) messages.push(ask(nextQuestion(turn)));
    }
    return told;
  };
