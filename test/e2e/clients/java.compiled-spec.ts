import { describeClients } from './client-suite.js';
import { javaClients } from './tool-chains.js';

describeClients({
  language: 'Java',
  clients: {
    'openai-java (chat)': 19,
    'openai-java (Responses)': 19,
    'anthropic-java': 21,
    'google-genai': 22,
    'langchain4j-open-ai': 13,
    'langchain4j-anthropic': 13,
    'langchain4j-google-ai-gemini': 13,
  },
  withEmbeddings: ['openai-java (chat)', 'google-genai'],
  program: javaClients(),
});
