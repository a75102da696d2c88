/** Runs every client over every upstream and prints one line of JSON per cell. */
import { anthropicScenarios } from './anthropic-messages.mjs';
import { aiSdkScenarios, AI_SDK_MODELS } from './ai-sdk.mjs';
import { googleScenarios } from './google-genai.mjs';
import { langchainScenarios, LANGCHAIN_MODELS } from './langchain-clients.mjs';
import { agentsScenarios, AGENTS_MODELS } from './openai-agents.mjs';
import { openaiChatScenarios } from './openai-chat.mjs';
import { openaiResponsesScenarios } from './openai-responses.mjs';
import { SETTINGS } from './place.mjs';

const AT_ONCE = 4;

const bound = (scenarios, models) =>
  Object.fromEntries(
    Object.entries(models).map(([client, model]) => [client, (place) => scenarios(place, model)]),
  );

const CLIENTS = {
  'openai (chat)': openaiChatScenarios,
  'openai (Responses)': openaiResponsesScenarios,
  '@anthropic-ai/sdk': anthropicScenarios,
  '@google/genai': googleScenarios,
  ...bound(aiSdkScenarios, AI_SDK_MODELS),
  ...bound(langchainScenarios, LANGCHAIN_MODELS),
  ...bound(agentsScenarios, AGENTS_MODELS),
};

async function run({ client, upstream, scenario, check }) {
  const cell = { client, upstream, scenario };
  try {
    say({ ...cell, isRight: true, usage: await check() });
  } catch (error) {
    say({ ...cell, isRight: false, detail: `${error?.name}: ${error?.message}`.slice(0, 600) });
    if (process.env.CLIENT_TRACES) console.error(error);
  }
}

const say = (cell) => process.stdout.write(`${JSON.stringify(cell)}\n`);

/** Cells to run: scenarios of each client over each upstream, and embeddings if the upstream has them. */
function* cells() {
  const { url, key, models, embeddingModels } = SETTINGS;
  const wanted = process.env.CLIENT_ONLY ?? '';
  for (const [client, scenarios] of Object.entries(CLIENTS)) {
    for (const [upstream, model] of Object.entries(models)) {
      if (!`${client} over ${upstream}`.includes(wanted)) continue;
      const { embeddings, ...offered } = scenarios({ url, key, model, upstream });
      for (const [scenario, check] of Object.entries(offered)) yield { client, upstream, scenario, check };
      const vectors = embeddingModels[upstream];
      if (embeddings === undefined || vectors === undefined) continue;
      const check = scenarios({ url, key, model: vectors, upstream }).embeddings;
      yield { client, upstream, scenario: 'embeddings', check };
    }
  }
}

const waiting = cells();
const worker = async () => {
  for (const cell of waiting) await run(cell);
};
// A promise that a package leaves behind when a stream breaks off is no cell of its own.
process.on('unhandledRejection', (error) => console.error(`left behind: ${error}`));
await Promise.all(Array.from({ length: AT_ONCE }, worker));
process.exit(0);
