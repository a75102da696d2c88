import { z } from 'zod';
import { parseJson } from '../../common/parse-json.js';

const clientDataSchema = z.object({ challenge: z.string().min(16).max(256) });

/**
 * The challenge a browser says it answered, or null when the text is not what browsers send. Only a name to look it up by: whether
 * it was signed is checked afterwards.
 * @param clientDataJson  base64url
 */
export function challengeOf(clientDataJson: string): string | null {
  const text = Buffer.from(clientDataJson, 'base64url').toString('utf8');
  return clientDataSchema.safeParse(parseJson(text)).data?.challenge ?? null;
}
