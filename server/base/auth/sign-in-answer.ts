import { z } from 'zod';
import { userSchema } from '../users/user-view.js';

/** The password, or its substitute, was right; a code of the authenticator app is still needed. */
const secondStepSchema = z
  .object({
    require_2fa: z.literal(true),
    ticket: z.string().meta({ description: 'may go with the code; the cookie set with this answer has to' }),
  })
  .meta({ id: 'SecondStep' });

/** Answer of every sign-in method. */
export const signInAnswerSchema = z.union([userSchema, secondStepSchema]).meta({ id: 'SignInAnswer' });
export type SignInAnswer = z.infer<typeof signInAnswerSchema>;
