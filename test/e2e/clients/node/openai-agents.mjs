/** OpenAI's agents, over chat completions and Responses. */
import {
  Agent,
  OpenAIChatCompletionsModel,
  OpenAIResponsesModel,
  run,
  setTracingDisabled,
  tool,
} from '@openai/agents';
import OpenAI from 'openai';
import { z } from 'zod';
import { ANSWER, callsOf, FORM, noRetries, question, same, TOOL_RESULT } from './place.mjs';

setTracingDisabled(true);

export const AGENTS_MODELS = {
  '@openai/agents (chat)': { Model: OpenAIChatCompletionsModel, modelSettings: {} },
  '@openai/agents (Responses)': {
    Model: OpenAIResponsesModel,
    modelSettings: { store: false, providerData: { include: ['reasoning.encrypted_content'] } },
  },
};

export function agentsScenarios(place, { Model, modelSettings }) {
  function agentOf(outputType) {
    const called = [];
    const made = (name, parameters) =>
      tool({
        name,
        description: name,
        parameters,
        execute: (args) => {
          called.push([name, args]);
          return TOOL_RESULT;
        },
      });
    const client = new OpenAI({ apiKey: place.key, baseURL: `${place.url}/v1`, ...noRetries });
    const agent = new Agent({
      name: 'weather',
      instructions: 'You know the weather.',
      model: new Model(client, place.model),
      modelSettings,
      tools: [made('lookup', z.object({ city: z.string(), days: z.int() })), made('now', z.object({}))],
      ...(outputType === undefined ? {} : { outputType }),
    });
    return { agent, called };
  }

  async function play(name, isStreamed, calls) {
    const { agent, called } = agentOf();
    const result = await run(agent, question(name), { stream: isStreamed });
    if (isStreamed) {
      for await (const _event of result);
      await result.completed;
    }
    same(result.finalOutput, ANSWER);
    same(called, calls, 'calls');
    const usage = result.rawResponses.at(-1).usage;
    return [usage.inputTokens, usage.outputTokens];
  }

  return {
    chat: () => play('chat', false, []),
    stream: () => play('stream', true, []),
    tools: () => play('tools', false, callsOf('tools')),
    'tools-streamed': () => play('tools-streamed', true, callsOf('tools')),
    'parallel-tools': () => play('parallel-tools', false, callsOf('parallel-tools')),
    'parallel-tools-streamed': () => play('parallel-tools-streamed', true, callsOf('parallel-tools')),
    structured: async () => {
      const { agent } = agentOf(z.object({ city: z.string(), degrees: z.int() }));
      same((await run(agent, question('structured'))).finalOutput, FORM);
    },
  };
}
