import { z } from 'zod';

/** GET /api/user/passkey */
export const passkeySchema = z
  .object({
    id: z.int(),
    name: z.string(),
    created_at: z.int(),
    last_used_at: z.int().meta({ description: 'seconds; 0 = never' }),
    synced: z.boolean().meta({ description: 'copied between devices by its maker' }),
  })
  .meta({ id: 'Passkey' });
export type PasskeyView = z.infer<typeof passkeySchema>;

export const passkeyListSchema = z
  .object({
    enabled: z.boolean().meta({ description: 'the account has a passkey' }),
    available: z.boolean().meta({ description: 'passkeys can be added at this address' }),
    items: z.array(passkeySchema),
  })
  .meta({ id: 'PasskeyList' });
export type PasskeyListView = z.infer<typeof passkeyListSchema>;

/** POST …/register/begin: the password, and with two-factor on a code, unless the login is recent. */
export const passkeyBeginSchema = z
  .object({ password: z.string().max(1_000).default(''), code: z.string().max(64).default('') })
  .default({ password: '', code: '' })
  .meta({ id: 'PasskeyBegin' });
export type PasskeyBegin = z.infer<typeof passkeyBeginSchema>;

/** What navigator.credentials takes, as JSON (`optionsJSON` of common browser libraries). */
export const passkeyOptionsSchema = z
  .object({ options: z.record(z.string(), z.unknown()) })
  .meta({ id: 'PasskeyOptions' });
export type PasskeyOptionsView = z.infer<typeof passkeyOptionsSchema>;

const base64url = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[A-Za-z0-9_-]+$/);
const credential = {
  id: base64url(1_400),
  rawId: base64url(1_400),
  type: z.literal('public-key'),
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).nullish(),
  clientExtensionResults: z.record(z.string(), z.unknown()).default({}),
};

/** POST …/register/finish: what navigator.credentials.create() gave, as JSON. */
export const passkeyRegistrationSchema = z
  .object({
    name: z.string().max(200).default(''),
    credential: z.object({
      ...credential,
      response: z.object({
        clientDataJSON: base64url(8_000),
        attestationObject: base64url(60_000),
        transports: z.array(z.string().max(32)).max(10).optional(),
      }),
    }),
  })
  .meta({ id: 'PasskeyRegistration' });
export type PasskeyRegistration = z.infer<typeof passkeyRegistrationSchema>;

/** POST …/login/finish and …/verify/finish: what navigator.credentials.get() gave, as JSON. */
export const passkeyAssertionSchema = z
  .object({
    credential: z.object({
      ...credential,
      response: z.object({
        clientDataJSON: base64url(8_000),
        authenticatorData: base64url(8_000),
        signature: base64url(8_000),
        userHandle: base64url(200).nullish(),
      }),
    }),
  })
  .meta({ id: 'PasskeyAssertion' });
export type PasskeyAssertion = z.infer<typeof passkeyAssertionSchema>;

/** PUT /api/user/passkey/{id} */
export const passkeyRenameSchema = z.object({ name: z.string().max(200) }).meta({ id: 'PasskeyRename' });
