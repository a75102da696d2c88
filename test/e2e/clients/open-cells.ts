import type { Cell } from './cell.js';

/** Languages whose packages are tried. */
export type Language = 'Python' | 'Node' | 'Go' | 'Java' | 'Rust';

/** Cells that are wrong for a reason which is known: a cell that has become right must leave this table. */
export interface OpenCells {
  readonly language: Language;
  readonly client: string;
  readonly upstreams: readonly string[];
  readonly scenarios: RegExp;
  /** `client`: the package's own doing. `gateway`: to be fixed here. */
  readonly fault: 'client' | 'gateway';
  readonly reason: string;
}

export const OPEN_CELLS: readonly OpenCells[] = [
  {
    language: 'Python',
    client: 'pydantic-ai (Responses)',
    upstreams: ['thinker', 'gemini'],
    scenarios: /tools/,
    fault: 'client',
    reason: 'thoughts without an encrypted content come back as text between `<think>` marks',
  },
  {
    language: 'Node',
    client: 'openai (chat)',
    upstreams: ['thinker'],
    scenarios: /^(parallel-)?tools-streamed$/,
    fault: 'client',
    reason: 'its accumulator keeps the last piece of `reasoning_content` only, and sends that back',
  },
  {
    language: 'Node',
    client: '@langchain/anthropic',
    upstreams: ['chat', 'thinker', 'responses', 'gemini'],
    scenarios: /^(stream|(parallel-)?tools-streamed)$/,
    fault: 'client',
    reason: 'of a stream it takes the input tokens of `message_start`, which other vendors do not know yet',
  },
  {
    language: 'Node',
    client: '@langchain/anthropic',
    upstreams: ['messages'],
    scenarios: /^(stream|(parallel-)?tools-streamed)$/,
    fault: 'client',
    reason: 'it adds the output tokens of `message_start` to those of the end, which contain them',
  },
  {
    language: 'Node',
    client: '@langchain/google-genai',
    upstreams: ['chat', 'thinker', 'responses'],
    scenarios: /^(chat|stream|(parallel-)?tools(-streamed)?)$/,
    fault: 'client',
    reason: 'its output tokens are those of the answer without those of thoughts',
  },
  {
    language: 'Node',
    client: '@langchain/google-genai',
    upstreams: ['gemini'],
    scenarios: /^(chat|stream)$/,
    fault: 'client',
    reason: 'its output tokens are those of the answer without those of thoughts',
  },
  {
    language: 'Node',
    client: '@langchain/google-genai',
    upstreams: ['gemini'],
    scenarios: /tools/,
    fault: 'client',
    reason: 'it sends functions without arguments with a schema that Google refuses',
  },
  {
    language: 'Node',
    client: '@langchain/google-genai',
    upstreams: ['chat', 'thinker', 'responses', 'messages'],
    scenarios: /^picture$/,
    fault: 'client',
    reason: 'it sends pictures only to models whose name it knows',
  },
  {
    language: 'Node',
    client: '@langchain/google-genai',
    upstreams: ['chat', 'messages', 'gemini'],
    scenarios: /^cut$/,
    fault: 'client',
    reason: 'it passes over the error with which a stream breaks off',
  },
  {
    language: 'Go',
    client: 'langchaingo (openai)',
    upstreams: ['chat', 'thinker', 'responses', 'messages', 'gemini'],
    scenarios: /^cut$/,
    fault: 'client',
    reason: 'it takes a stream that breaks off for a whole answer',
  },
  {
    language: 'Go',
    client: 'langchaingo (anthropic)',
    upstreams: ['chat', 'thinker', 'responses', 'messages', 'gemini'],
    scenarios: /^parallel-tools$/,
    fault: 'client',
    reason: 'it sends only the first of several calls back',
  },
  {
    language: 'Java',
    client: 'langchain4j-open-ai',
    upstreams: ['chat', 'thinker', 'responses', 'messages', 'gemini'],
    scenarios: /^cut$/,
    fault: 'client',
    reason: 'it takes a stream that breaks off for a whole answer',
  },
  {
    language: 'Java',
    client: 'langchain4j-anthropic',
    upstreams: ['chat', 'thinker', 'responses', 'messages', 'gemini'],
    scenarios: /^(chat|stream|(parallel-)?tools(-streamed)?)$/,
    fault: 'client',
    reason: 'its input tokens are those that no cache had',
  },
  {
    language: 'Java',
    client: 'langchain4j-google-ai-gemini',
    upstreams: ['chat', 'thinker', 'responses'],
    scenarios: /^(chat|stream|(parallel-)?tools(-streamed)?)$/,
    fault: 'client',
    reason: 'its output tokens are those of the answer without those of thoughts',
  },
  {
    language: 'Java',
    client: 'langchain4j-google-ai-gemini',
    upstreams: ['gemini'],
    scenarios: /^(chat|stream|tools(-streamed)?)$/,
    fault: 'client',
    reason: 'its output tokens are those of the answer without those of thoughts',
  },
  {
    language: 'Java',
    client: 'langchain4j-google-ai-gemini',
    upstreams: ['gemini'],
    scenarios: /^parallel/,
    fault: 'client',
    reason: 'it sends each result in an entry of its own, which Google refuses',
  },
  {
    language: 'Java',
    client: 'langchain4j-google-ai-gemini',
    upstreams: ['chat', 'messages', 'gemini'],
    scenarios: /^cut$/,
    fault: 'client',
    reason: 'it takes a stream that breaks off for a whole answer',
  },
  {
    language: 'Java',
    client: 'spring-ai-openai',
    upstreams: ['chat', 'thinker', 'responses', 'messages', 'gemini'],
    scenarios: /^cut$/,
    fault: 'client',
    reason: 'it takes a stream that breaks off for a whole answer',
  },
  {
    language: 'Java',
    client: 'spring-ai-anthropic',
    upstreams: ['chat', 'thinker', 'responses', 'messages', 'gemini'],
    scenarios: /^cut$/,
    fault: 'client',
    reason: 'it takes a stream that breaks off for a whole answer',
  },
  {
    language: 'Java',
    client: 'spring-ai-anthropic',
    upstreams: ['chat', 'thinker', 'responses', 'gemini'],
    scenarios: /^(chat|reasoning)$/,
    fault: 'client',
    reason: 'its input tokens are those that no cache had',
  },
  {
    language: 'Java',
    client: 'spring-ai-anthropic',
    upstreams: ['chat', 'thinker', 'responses', 'gemini'],
    scenarios: /^stream$/,
    fault: 'client',
    reason: 'of a stream it takes the input tokens of `message_start`, which other vendors do not know yet',
  },
  {
    language: 'Java',
    client: 'spring-ai-anthropic',
    upstreams: ['messages'],
    scenarios: /^(chat|stream|reasoning)$/,
    fault: 'client',
    reason: 'its input tokens are those that no cache had',
  },
  {
    language: 'Java',
    client: 'spring-ai-anthropic',
    upstreams: ['chat', 'thinker', 'responses', 'messages', 'gemini'],
    scenarios: /^parallel-tools-streamed$/,
    fault: 'client',
    reason: 'of several calls in a stream it answers each in a conversation of its own',
  },
  {
    language: 'Java',
    client: 'spring-ai-google-genai',
    upstreams: ['chat', 'thinker', 'responses', 'gemini'],
    scenarios: /^(chat|stream)$/,
    fault: 'client',
    reason: 'its output tokens are those of the answer without those of thoughts',
  },
  {
    language: 'Java',
    client: 'spring-ai-google-genai',
    upstreams: ['chat', 'thinker', 'responses', 'messages'],
    scenarios: /^parallel-tools-streamed$/,
    fault: 'client',
    reason: 'of several calls in a stream it answers each in a conversation of its own',
  },
  {
    language: 'Java',
    client: 'spring-ai-google-genai',
    upstreams: ['gemini'],
    scenarios: /tools/,
    fault: 'client',
    reason: 'it sends functions without arguments with a schema that Google refuses',
  },
];

export const openReason = (language: Language, { client, upstream, scenario }: Cell): OpenCells | undefined =>
  OPEN_CELLS.find(
    (open) =>
      open.language === language &&
      open.client === client &&
      open.upstreams.includes(upstream) &&
      open.scenarios.test(scenario),
  );
