import { describeClients } from './client-suite.js';
import { pythonClients } from './tool-chains.js';

describeClients({
  language: 'Python',
  clients: {
    'openai (chat)': 21,
    'openai (Responses)': 19,
    anthropic: 21,
    'google-genai': 21,
    'langchain-openai': 10,
    'langchain-openai (Responses)': 10,
    'langchain-anthropic': 10,
    'langchain-google-genai': 10,
    'pydantic-ai (openai)': 9,
    'pydantic-ai (Responses)': 9,
    'pydantic-ai (google)': 9,
    'litellm (openai)': 7,
    'litellm (anthropic)': 7,
    'openai-agents (chat)': 6,
    'openai-agents (Responses)': 6,
    instructor: 1,
    'llama-index': 4,
  },
  withEmbeddings: ['openai (chat)', 'google-genai'],
  program: pythonClients(),
});
