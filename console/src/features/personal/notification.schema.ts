import type { TFunction } from 'i18next';
import * as z from 'zod/mini';
import { emailSchema } from '../../shared/identity/identity.schema';
import { LIMITS } from '../../shared/form/limits';
import { atMost, wholeNumber } from '../../shared/form/rules';

/** True for an address that still has to be proven by a code; the account's own and the one in use are. */
export function needsCode(email: string, provenEmails: readonly string[]): boolean {
  const folded = email.trim().toLowerCase();
  return folded !== '' && !provenEmails.some((proven) => proven.toLowerCase() === folded);
}

/** `provenEmails`: addresses that need no code. */
export function notificationSchema(t: TFunction, provenEmails: readonly string[]) {
  return z
    .object({
      type: z.enum(['email', 'webhook']),
      threshold: wholeNumber(t, { min: 0 }),
      url: z.string().check(z.trim(), atMost(t, LIMITS.webhookUrl)),
      secret: z.string().check(atMost(t, LIMITS.webhookSecret)),
      clearSecret: z.boolean(),
      email: z.string().check(z.trim()),
      code: z.string().check(z.trim()),
    })
    .check(
      z.superRefine((values, context) => {
        const fail = (path: string, message: string) =>
          context.addIssue({ code: 'custom', path: [path], message });
        if (values.type === 'webhook') {
          if (values.url === '') fail('url', t('personal.notify.urlMissing'));
          else if (!/^https:\/\/\S+$/i.test(values.url)) fail('url', t('personal.notify.urlHttps'));
          return;
        }
        if (!needsCode(values.email, provenEmails)) return;
        const parsed = emailSchema(t).safeParse(values.email);
        if (!parsed.success) fail('email', t('identity.email.invalid'));
        else if (values.code === '') fail('code', t('identity.code.enter'));
      }),
    );
}

export type NotificationValues = z.infer<ReturnType<typeof notificationSchema>>;
