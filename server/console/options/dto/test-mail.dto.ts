import { z } from 'zod';

/** Empty = the own address. */
export const testMailSchema = z.object({ to: z.string().max(1_000).default('') }).meta({ id: 'TestMail' });
export type TestMail = z.infer<typeof testMailSchema>;
