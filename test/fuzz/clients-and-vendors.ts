import { join } from 'node:path';
import { readFolder, type Recording } from '../replay/read-folder.mjs';
import { onTheWire } from '../replay/replay-upstream.mjs';

const RECORDINGS = join(import.meta.dirname, '../replay/recordings');

interface VendorRow {
  readonly folder: string;
  readonly type: number;
  readonly framing: string;
  readonly upstreamModel: string;
  readonly credential?: string;
  readonly other?: string;
}

const KEY = 'sk-upstream-credential-0001';

/** One vendor for each format answers come over. */
const VENDORS: readonly VendorRow[] = [
  { folder: 'openai/chat', type: 1, framing: 'sse-done', upstreamModel: 'gpt-4.1-mini' },
  { folder: 'openai/responses', type: 1, framing: 'sse-named', upstreamModel: 'o1-pro' },
  { folder: 'deepseek/chat', type: 43, framing: 'sse-done', upstreamModel: 'deepseek-chat' },
  { folder: 'anthropic', type: 14, framing: 'sse-named', upstreamModel: 'claude-sonnet-4-5' },
  { folder: 'google', type: 24, framing: 'sse', upstreamModel: 'gemini-2.5-pro' },
  {
    folder: 'amazon-bedrock',
    type: 33,
    framing: 'aws',
    upstreamModel: 'amazon.nova-pro-v1:0',
    credential: `AKIAFUZZ|${KEY}|us-east-1`,
  },
  { folder: 'cohere', type: 34, framing: 'sse', upstreamModel: 'command-a-03-2025' },
];

/** An answer as a vendor sends it, and the channel that asks for it. */
export interface VendorAnswer extends VendorRow {
  readonly credential: string;
  readonly name: string;
  readonly isStream: boolean;
  readonly contentType: string;
  readonly bytes: Buffer;
}

export const VENDOR_ANSWERS: readonly VendorAnswer[] = VENDORS.flatMap((vendor) =>
  readFolder(RECORDINGS)
    .filter((recording: Recording) => recording.name.startsWith(`${vendor.folder}/`))
    .map((recording: Recording) => {
      const { type, body } = onTheWire(recording, vendor.framing);
      return {
        credential: KEY,
        ...vendor,
        name: recording.name,
        isStream: recording.form !== 'whole',
        contentType: type,
        bytes: body,
      };
    }),
);

const TOOL_SCHEMA = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** A full request in each dialect: instructions, images, tools, a finished tool call, schema, thinking, a cap. */
export interface ClientRequest {
  readonly dialect: string;
  readonly path: string;
  readonly streamPath?: string;
  readonly pathModel?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
  /** Sent instead of the body: a form with a file. */
  readonly form?: Buffer;
}

export const CLIENT_REQUESTS: readonly ClientRequest[] = [
  {
    dialect: 'openai',
    path: '/v1/chat/completions',
    headers: { authorization: 'Bearer sk-test' },
    body: {
      model: 'gpt-test',
      messages: [
        { role: 'system', content: 'Be exact.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Weather here?' },
            { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}`, detail: 'low' } },
          ],
        },
        {
          role: 'assistant',
          content: null,
          reasoning_content: 'hm',
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'rain' },
      ],
      tools: [{ type: 'function', function: { name: 'weather', parameters: TOOL_SCHEMA } }],
      tool_choice: 'auto',
      response_format: { type: 'json_schema', json_schema: { name: 'shape', schema: TOOL_SCHEMA } },
      reasoning_effort: 'low',
      max_completion_tokens: 200,
      temperature: 0.5,
      stop: ['END'],
      stream_options: { include_usage: true },
    },
  },
  {
    dialect: 'openai',
    path: '/v1/responses',
    headers: { authorization: 'Bearer sk-test' },
    body: {
      model: 'gpt-test',
      instructions: 'Be exact.',
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'Weather here?' },
            { type: 'input_image', image_url: `data:image/png;base64,${PNG}`, detail: 'low' },
          ],
        },
        { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'c2VhbGVk' },
        { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '{"city":"Oslo"}' },
        { type: 'function_call_output', call_id: 'call_1', output: 'rain' },
      ],
      tools: [{ type: 'function', name: 'weather', parameters: TOOL_SCHEMA }],
      text: { format: { type: 'json_schema', name: 'shape', schema: TOOL_SCHEMA } },
      reasoning: { effort: 'low', summary: 'auto' },
      max_output_tokens: 200,
      store: false,
    },
  },
  {
    dialect: 'anthropic',
    path: '/v1/messages',
    headers: { 'x-api-key': 'sk-test', 'anthropic-version': '2023-06-01' },
    body: {
      model: 'gpt-test',
      max_tokens: 4_000,
      system: [{ type: 'text', text: 'Be exact.', cache_control: { type: 'ephemeral' } }],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Weather here?' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'hm', signature: 'c2VhbGVk' },
            { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Oslo' } },
          ],
        },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'rain', is_error: false }],
        },
      ],
      tools: [{ name: 'weather', description: 'Tells it', input_schema: TOOL_SCHEMA }],
      tool_choice: { type: 'auto', disable_parallel_tool_use: true },
      thinking: { type: 'enabled', budget_tokens: 2_000 },
      stop_sequences: ['END'],
    },
  },
  {
    dialect: 'gemini',
    path: '/v1beta/models/:model(^.+)::generateContent',
    streamPath: '/v1beta/models/:model(^.+)::streamGenerateContent',
    pathModel: 'gpt-test',
    headers: { 'x-goog-api-key': 'sk-test' },
    body: {
      systemInstruction: { parts: [{ text: 'Be exact.' }] },
      contents: [
        {
          role: 'user',
          parts: [{ text: 'Weather here?' }, { inlineData: { mimeType: 'image/png', data: PNG } }],
        },
        {
          role: 'model',
          parts: [
            {
              functionCall: { id: 'call_1', name: 'weather', args: { city: 'Oslo' } },
              thoughtSignature: 'c2VhbGVk',
            },
          ],
        },
        {
          role: 'user',
          parts: [{ functionResponse: { id: 'call_1', name: 'weather', response: { result: 'rain' } } }],
        },
      ],
      tools: [{ functionDeclarations: [{ name: 'weather', parameters: TOOL_SCHEMA }] }],
      toolConfig: { functionCallingConfig: { mode: 'AUTO' } },
      generationConfig: {
        maxOutputTokens: 200,
        temperature: 0.5,
        responseMimeType: 'application/json',
        responseSchema: TOOL_SCHEMA,
        thinkingConfig: { thinkingBudget: 512, includeThoughts: true },
      },
    },
  },
];
