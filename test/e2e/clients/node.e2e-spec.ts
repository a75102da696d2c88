import { describeClients } from './client-suite.js';
import { nodeClients } from './tool-chains.js';

describeClients({
  language: 'Node',
  clients: {
    'openai (chat)': 21,
    'openai (Responses)': 19,
    '@anthropic-ai/sdk': 21,
    '@google/genai': 22,
    '@ai-sdk/openai (chat)': 19,
    '@ai-sdk/openai (Responses)': 19,
    '@ai-sdk/anthropic': 19,
    '@ai-sdk/google': 19,
    '@langchain/openai (chat)': 11,
    '@langchain/openai (Responses)': 11,
    '@langchain/anthropic': 11,
    '@langchain/google-genai': 11,
    '@openai/agents (chat)': 7,
    '@openai/agents (Responses)': 7,
  },
  withEmbeddings: ['openai (chat)', '@google/genai'],
  program: nodeClients(),
});
