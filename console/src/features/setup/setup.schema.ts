import type { TFunction } from 'i18next';
import * as z from 'zod/mini';
import { isPassword } from '../../shared/form/rules';

export const MODES = ['external', 'self', 'demo'] as const;

/** @param withAccount  false when a root account exists already: its fields are then not asked for */
export function setupSchema(t: TFunction, withAccount: boolean) {
  return z
    .object({
      username: z.string(),
      password: z.string(),
      confirm: z.string(),
      token: z.string(),
      mode: z.enum(MODES),
    })
    .check(
      z.superRefine((values, context) => {
        if (!withAccount) return;
        const fail = (path: string, message: string) =>
          context.addIssue({ code: 'custom', path: [path], message });
        if (values.username.trim() === '') fail('username', t('setup.error.username'));
        if (!isPassword(values.password)) fail('password', t('setup.error.password'));
        if (values.password !== values.confirm) fail('confirm', t('setup.error.confirm'));
      }),
    );
}

export type SetupValues = z.infer<ReturnType<typeof setupSchema>>;
