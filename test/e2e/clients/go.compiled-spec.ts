import { describeClients } from './client-suite.js';
import { goClients } from './tool-chains.js';

describeClients({
  language: 'Go',
  clients: {
    'openai-go (chat)': 19,
    'openai-go (Responses)': 19,
    'anthropic-sdk-go': 21,
    genai: 22,
    'langchaingo (openai)': 8,
    'langchaingo (anthropic)': 8,
  },
  withEmbeddings: ['openai-go (chat)', 'genai'],
  program: goClients(),
});
