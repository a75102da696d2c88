import { z } from 'zod';
import { userSchema } from '../users/user-view.js';

/** The password, or what stands for it, was right; a code of the authenticator app is still needed. */
const secondStepSchema = z
  .object({
    require_2fa: z.literal(true),
    ticket: z.string().meta({ description: 'may go with the code; the cookie set with this answer has to' }),
  })
  .meta({ id: 'SecondStep' });

/** What every way of signing in answers. */
export const signInAnswerSchema = z.union([userSchema, secondStepSchema]).meta({ id: 'SignInAnswer' });
export type SignInAnswer = z.infer<typeof signInAnswerSchema>;
