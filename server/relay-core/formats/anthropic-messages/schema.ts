import { z } from 'zod';
import { MAX_OUTPUT_CAP } from '../shared/fields/request-fields.js';

/** A content block, strict about its kind only: kinds we do not know survive on this format. */
const block = z.looseObject({ type: z.string().optional() });
const content = z.union([z.string(), z.array(block)]);

const messageSchema = z.looseObject({
  role: z.enum(['user', 'assistant', 'system']),
  content,
});
export type AnthropicMessage = z.infer<typeof messageSchema>;

const toolSchema = z.looseObject({
  type: z.string().nullish(),
  name: z.string().nullish(),
  description: z.string().nullish(),
  input_schema: z.unknown().optional(),
  strict: z.boolean().nullish(),
});
export type AnthropicTool = z.infer<typeof toolSchema>;

const thinkingSchema = z.looseObject({
  type: z.string(),
  budget_tokens: z.int().min(0).max(MAX_OUTPUT_CAP).nullish(),
  display: z.string().nullish(),
});

const formatSchema = z.looseObject({ type: z.string(), schema: z.unknown().optional() });

/** Body of a Messages request: https://docs.claude.com/en/api/messages (read 2026-11-21). Other members are kept. */
export const messagesRequestSchema = z.looseObject({
  messages: z.array(messageSchema).min(1),
  system: content.nullish(),
  tools: z.array(toolSchema).nullish(),
  tool_choice: z
    .union([
      z.string(),
      z.looseObject({
        type: z.string(),
        name: z.string().nullish(),
        disable_parallel_tool_use: z.boolean().nullish(),
      }),
    ])
    .nullish(),
  max_tokens: z.int().min(0).max(MAX_OUTPUT_CAP).nullish(),
  max_tokens_to_sample: z.int().min(0).max(MAX_OUTPUT_CAP).nullish(),
  temperature: z.number().min(0).max(5).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  top_k: z.int().min(0).nullish(),
  stop_sequences: z.array(z.string()).max(8192).nullish(),
  thinking: thinkingSchema.nullish(),
  output_config: z.looseObject({ effort: z.string().nullish(), format: formatSchema.nullish() }).nullish(),
  output_format: formatSchema.nullish(),
  metadata: z.looseObject({ user_id: z.string().nullish() }).nullish(),
});
export type AnthropicRequest = z.infer<typeof messagesRequestSchema>;

/** Members the neutral request owns; all others are vendor options. */
export const KNOWN_REQUEST_FIELDS: ReadonlySet<string> = new Set([
  ...Object.keys(messagesRequestSchema.shape),
  'model',
  'stream',
]);
