import { z } from 'zod';

const groupSchema = z.object({ ratio: z.number(), desc: z.string() }).meta({ id: 'Group' });
export const groupMapSchema = z.record(z.string(), groupSchema);
