import { z } from 'zod';
import type { AccountWarning } from '../../warnings/account-warning.js';

/** A condition that makes calls fail or lose money, now or soon. */
export const warningSchema = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('unpriced-model'),
      model: z.string(),
      calls: z.int().meta({ description: 'calls refused within 7 days' }),
    }),
    z.object({
      kind: z.literal('failing-channel'),
      channel_id: z.int(),
      channel_name: z.string(),
      attempts: z.int().meta({ description: 'within 24 hours' }),
      failures: z.int(),
    }),
    z.object({
      kind: z.literal('expiring-token'),
      token_id: z.int(),
      token_name: z.string(),
      expires_at: z.int().meta({ description: 'seconds; within 7 days' }),
    }),
    z.object({
      kind: z.literal('low-balance'),
      balance: z.int().meta({ description: 'quota' }),
      spent: z.int().meta({ description: 'quota spent within 24 hours: as much again empties the balance' }),
    }),
    z.object({
      kind: z.literal('near-limit'),
      limit_id: z.int(),
      limit_name: z.string(),
      percent: z.int().meta({ description: 'of the amount, used or set aside; at least 80' }),
      resets_at: z.int().nullable().meta({ description: 'seconds; null = never' }),
    }),
    z.object({
      kind: z.literal('price-below-list'),
      model: z.string(),
      part: z.enum(['input', 'output', 'call']),
      price: z.number().meta({ description: 'US dollars per million tokens, or per call' }),
      list_price: z.number(),
    }),
  ])
  .meta({ id: 'Warning' });
export type WarningView = z.infer<typeof warningSchema>;

export function presentWarning(warning: AccountWarning): WarningView {
  switch (warning.kind) {
    case 'unpriced-model':
      return warning;
    case 'failing-channel':
      return {
        kind: warning.kind,
        channel_id: warning.channelId,
        channel_name: warning.channel,
        attempts: warning.attempts,
        failures: warning.failures,
      };
    case 'expiring-token':
      return {
        kind: warning.kind,
        token_id: warning.tokenId,
        token_name: warning.token,
        expires_at: warning.expiresAt,
      };
    case 'low-balance':
      return { kind: warning.kind, balance: warning.balance, spent: warning.spentInDay };
    case 'near-limit':
      return {
        kind: warning.kind,
        limit_id: warning.limitId,
        limit_name: warning.limit,
        percent: warning.percent,
        resets_at: warning.resetsAt,
      };
    case 'price-below-list':
      return {
        kind: warning.kind,
        model: warning.model,
        part: warning.part,
        price: warning.price,
        list_price: warning.listPrice,
      };
  }
}
