import { z } from 'zod';
import { SIGNED_QUERY } from '../../../common/api/schema.pipe.js';
import { IDENTITY_PROVIDERS, REDIRECT_PROVIDERS } from '../../../base/access/identity-providers.js';

/** Longest code or state a provider is believed to send. */
const longText = z.string().max(4_096).default('');
const affCode = z.string().max(32).default('');

export const stateQuerySchema = z.object({ aff: affCode });
export type StateQuery = z.infer<typeof stateQuerySchema>;

/** `bind` is for signed-in users. Telegram and WeChat have no page to redirect to. */
export const oauthStartSchema = z
  .object({
    provider: z.enum([...REDIRECT_PROVIDERS, 'telegram']),
    intent: z.enum(['login', 'bind']).default('login'),
    aff: affCode,
  })
  .meta({ id: 'OAuthStart' });
export type OAuthStart = z.infer<typeof oauthStartSchema>;

/** Address the browser goes to next; empty for Telegram, whose widget takes the state along. */
export const oauthStartedSchema = z
  .object({ url: z.string(), state: z.string() })
  .meta({ id: 'OAuthStarted' });
export type OAuthStarted = z.infer<typeof oauthStartedSchema>;

/** Query of a provider's redirect; `iss` is the issuer, when it names itself (RFC 9207). */
export const callbackQuerySchema = z.object({
  code: longText,
  state: longText,
  iss: z.string().max(2_048).optional(),
  error: z.string().max(255).default(''),
  error_description: z.string().max(2_000).default(''),
});
export type CallbackQuery = z.infer<typeof callbackQuerySchema>;

const wechatCode = z.string().max(64).default('');
export const wechatQuerySchema = z.object({ code: wechatCode, aff: affCode });
export type WeChatQuery = z.infer<typeof wechatQuerySchema>;
export const wechatBindSchema = z.object({ code: wechatCode }).meta({ id: 'WeChatBind' });

const field = z.string().max(2_048);

/** Telegram's widget, field by field; another field would be signed as well and is refused. */
const telegramFields = {
  id: field,
  first_name: field.optional(),
  last_name: field.optional(),
  username: field.optional(),
  photo_url: field.optional(),
  auth_date: field,
  lang: field.optional(),
  hash: field,
};
export const telegramQuerySchema = z.strictObject(telegramFields).meta(SIGNED_QUERY);
export const telegramBindQuerySchema = z
  .strictObject({ ...telegramFields, state: longText })
  .meta(SIGNED_QUERY);
const numberOrText = z.union([z.int(), field]).transform(String);
/** The widget hands `id` and `auth_date` over as numbers. */
export const telegramBindSchema = z
  .strictObject({ ...telegramFields, id: numberOrText, auth_date: numberOrText, state: longText })
  .meta({ id: 'TelegramBind' });
export type TelegramLogin = z.infer<typeof telegramQuerySchema>;
export type TelegramBind = z.infer<typeof telegramBindQuerySchema>;

export const oidcDiscoverySchema = z
  .object({ well_known: z.string().max(2_048).default('') })
  .meta({ id: 'OidcDiscovery' });
export type OidcDiscovery = z.infer<typeof oidcDiscoverySchema>;

/** Endpoints the settings page fills in. */
export const oidcEndpointsSchema = z
  .object({
    issuer: z.string(),
    authorization_endpoint: z.string(),
    token_endpoint: z.string(),
    user_info_endpoint: z.string(),
  })
  .meta({ id: 'OidcEndpoints' });
export type OidcEndpoints = z.infer<typeof oidcEndpointsSchema>;

export const identityProviderSchema = z.enum(IDENTITY_PROVIDERS);

/** Bindings that can be removed from an account. */
export const boundThingSchema = z.enum([...IDENTITY_PROVIDERS, 'email']);
export type BoundThing = z.infer<typeof boundThingSchema>;
