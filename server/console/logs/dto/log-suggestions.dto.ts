import { z } from 'zod';
import { filterText } from '../../../common/query.js';

export const logSuggestionsQuerySchema = z.object({
  keyword: filterText(64).meta({ description: 'part of a name or error, in any case; empty = none' }),
});
export type LogSuggestionsQuery = z.infer<typeof logSuggestionsQuerySchema>;

/** Exact values for the filters of the usage log, at most eight of each kind. */
export const logSuggestionsSchema = z
  .object({
    models: z.array(z.string()).meta({ description: 'for `model_name`' }),
    tokens: z.array(z.string()).meta({ description: 'for `token_name`' }),
    accounts: z.array(z.string()).meta({ description: 'for `username`; empty for users' }),
    channels: z
      .array(z.object({ id: z.int(), name: z.string() }))
      .meta({ description: 'for `channel`; empty for users' }),
  })
  .meta({ id: 'LogSuggestions' });
export const failedCallsSchema = z
  .array(
    z.object({
      request_id: z.string(),
      model_name: z.string(),
      content: z.string().meta({ description: "the provider's own error, else the one of the log line" }),
    }),
  )
  .meta({ description: 'newest first, at most eight of the newest 2,000 failed calls' });
export type FailedCallsView = z.infer<typeof failedCallsSchema>;
export type LogSuggestionsView = z.infer<typeof logSuggestionsSchema>;
