import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { z } from 'zod';

/** GET /api/user/passkey */
const passkeySchema = z
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

const userVerification = z.enum(['discouraged', 'preferred', 'required']).optional();
const knownCredentials = z
  .array(
    z.object({
      id: z.string(),
      type: z.literal('public-key'),
      transports: z.array(z.string()).optional(),
    }),
  )
  .optional();
const ceremony = {
  challenge: z.string(),
  timeout: z.int().optional().meta({ description: 'milliseconds' }),
};

/** Argument of navigator.credentials.create() as JSON (`optionsJSON` of common browser libraries). */
export const passkeyCreationSchema = z
  .object({
    options: z.object({
      ...ceremony,
      rp: z.object({ name: z.string(), id: z.string().optional() }),
      user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
      pubKeyCredParams: z.array(z.object({ alg: z.int(), type: z.literal('public-key') })),
      excludeCredentials: knownCredentials,
      authenticatorSelection: z
        .object({
          authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional(),
          requireResidentKey: z.boolean().optional(),
          residentKey: userVerification,
          userVerification,
        })
        .optional(),
      attestation: z.enum(['direct', 'enterprise', 'indirect', 'none']).optional(),
      extensions: z.object({ credProps: z.boolean() }),
      hints: z.array(z.enum(['client-device', 'hybrid', 'security-key'])),
    }),
  })
  .meta({ id: 'PasskeyCreation' });
export interface PasskeyCreationView {
  readonly options: PublicKeyCredentialCreationOptionsJSON;
}

/** Argument of navigator.credentials.get() as JSON. */
export const passkeyRequestSchema = z
  .object({
    options: z.object({
      ...ceremony,
      rpId: z.string().optional(),
      allowCredentials: knownCredentials,
      userVerification,
    }),
  })
  .meta({ id: 'PasskeyRequest' });
export interface PasskeyRequestView {
  readonly options: PublicKeyCredentialRequestOptionsJSON;
}

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
