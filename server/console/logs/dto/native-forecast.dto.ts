import { z } from 'zod';
import { CLIENT_APIS } from '../../../gateway/channels/routing/native-moves.js';

/** Calls that would move if native channels came first. */
export const nativeForecastSchema = z
  .object({
    calls: z.int().meta({ description: 'calls of the log that were looked at' }),
    moves: z.array(
      z.object({
        group: z.string(),
        api: z.enum(CLIENT_APIS).meta({ description: 'API of the callers' }),
        channel_id: z.int().meta({ description: 'channel that would get them' }),
        calls: z.int().meta({ description: 'calls that would move there' }),
        of: z.int().meta({ description: 'all calls of this API and group' }),
      }),
    ),
  })
  .meta({ id: 'NativeForecast' });

export type NativeForecastView = z.infer<typeof nativeForecastSchema>;
