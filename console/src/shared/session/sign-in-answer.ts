import * as z from 'zod/mini';
import { storedUserSchema, type StoredUser } from '../../api/current-user';

const secondFactorSchema = z.looseObject({
  require_2fa: z.literal(true),
  ticket: z._default(z.string(), ''),
});

/** What a way in answers: who came in, or that a code is still needed. */
export type SignInAnswer =
  | { readonly kind: 'user'; readonly user: StoredUser }
  | { readonly kind: 'second-factor'; readonly ticket: string };

/** Fails: ZodError when the answer is neither. */
export function readSignInAnswer(data: unknown): SignInAnswer {
  const secondFactor = secondFactorSchema.safeParse(data);
  if (secondFactor.success) return { kind: 'second-factor', ticket: secondFactor.data.ticket };
  return { kind: 'user', user: storedUserSchema.parse(data) };
}
