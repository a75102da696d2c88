import { z } from 'zod';
import { MAX_OUTPUT_CAP } from '../shared/fields/request-fields.js';

const part = z.looseObject({ type: z.string().optional() });
const toolCall = z.looseObject({
  id: z.string().nullish(),
  type: z.string().nullish(),
  function: z
    .looseObject({
      name: z.string(),
      arguments: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
    })
    .nullish(),
  custom: z.looseObject({ name: z.string(), input: z.string().nullish() }).nullish(),
});

/** One message, strict about the members we read. Other members pass as vendor options. */
const messageSchema = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
  content: z.union([z.string(), z.array(part)]).nullish(),
  name: z.string().nullish(),
  refusal: z.string().nullish(),
  reasoning_content: z.string().nullish(),
  reasoning: z.string().nullish(),
  reasoning_details: z.array(z.unknown()).nullish(),
  cache_control: z.unknown().optional(),
  tool_calls: z.array(toolCall).nullish(),
  function_call: z.looseObject({ name: z.string(), arguments: z.string().nullish() }).nullish(),
  tool_call_id: z.string().nullish(),
});
export type OpenaiMessage = z.infer<typeof messageSchema>;

const functionSchema = z.looseObject({
  name: z.string(),
  description: z.string().nullish(),
  parameters: z.unknown().optional(),
  strict: z.boolean().nullish(),
});

const toolSchema = z.looseObject({
  type: z.string(),
  function: functionSchema.nullish(),
  custom: z
    .looseObject({ name: z.string(), description: z.string().nullish(), format: z.unknown().optional() })
    .nullish(),
});

/** Body of a chat request: numbers in range, shapes right; members we do not know are kept. */
export const chatRequestSchema = z.looseObject({
  messages: z.array(messageSchema).min(1),
  tools: z.array(toolSchema).nullish(),
  functions: z.array(functionSchema).nullish(),
  tool_choice: z.union([z.string(), z.looseObject({ type: z.string() })]).nullish(),
  function_call: z.union([z.string(), z.looseObject({ name: z.string() })]).nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  max_tokens: z.int().min(1).max(MAX_OUTPUT_CAP).nullish(),
  max_completion_tokens: z.int().min(1).max(MAX_OUTPUT_CAP).nullish(),
  temperature: z.number().min(0).max(5).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  frequency_penalty: z.number().min(-2).max(2).nullish(),
  presence_penalty: z.number().min(-2).max(2).nullish(),
  seed: z.int().nullish(),
  stop: z.union([z.string(), z.array(z.string()).max(16)]).nullish(),
  response_format: z.looseObject({ type: z.string() }).nullish(),
  reasoning_effort: z.string().nullish(),
  web_search_options: z
    .looseObject({ search_context_size: z.enum(['low', 'medium', 'high', '']).nullish() })
    .nullish(),
  top_k: z.int().min(0).nullish(),
  user: z.string().nullish(),
});
export type OpenaiChatRequest = z.infer<typeof chatRequestSchema>;

/** Members the neutral request owns; all others are vendor options. */
export const KNOWN_REQUEST_FIELDS: ReadonlySet<string> = new Set([
  ...Object.keys(chatRequestSchema.shape),
  'model',
  'n',
  'stream',
  'stream_options',
]);
export const KNOWN_MESSAGE_FIELDS: ReadonlySet<string> = new Set(Object.keys(messageSchema.shape));
