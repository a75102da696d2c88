import { zodResolver } from '@hookform/resolvers/zod';
import { useMemo } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { DialogForm } from '../../shared/dialog/dialog-form';
import { toast } from '../../shared/feedback/toast';
import { TextField } from '../../shared/form/text-field';
import { useHumanCheck } from '../../shared/human-check/use-human-check';
import { CodeButton } from '../../shared/identity/code-button';
import { emailSchema } from '../../shared/identity/identity.schema';
import { useFreshly } from '../../shared/identity/step-up';
import { useBindEmail } from './identities.api';

interface EmailDialogProps {
  open: boolean;
  onClose: () => void;
}

/** Binds a mail address: a code goes there and comes back. */
export function EmailDialog({ open, onClose }: EmailDialogProps) {
  const { t } = useTranslation();
  const freshly = useFreshly();
  const bind = useBindEmail();
  const check = useHumanCheck('bind');
  const schema = useMemo(
    () =>
      z.object({
        email: emailSchema(t),
        code: z.string().check(z.trim(), z.minLength(1, t('identity.code.enter'))),
      }),
    [t],
  );
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { email: '', code: '' } });
  return (
    <DialogForm
      open={open}
      title={t('personal.bindings.bindEmail')}
      form={form}
      submitLabel={t('personal.bindings.bind')}
      onClose={onClose}
      onSubmit={async (proof) => {
        await freshly(() => bind.mutateAsync(proof));
        toast('success', t('personal.bindings.emailBound'));
        onClose();
      }}
    >
      <TextField
        control={form.control}
        name="email"
        label={t('identity.email.label')}
        autoComplete="email"
        autoFocus
      />
      <TextField
        control={form.control}
        name="code"
        label={t('identity.code.label')}
        autoComplete="one-time-code"
        end={
          <CodeButton
            check={check}
            readAddress={async () =>
              (await form.trigger('email')) ? form.getValues('email').trim() : undefined
            }
            onFailure={(message) => form.setError('email', { message })}
            onSent={() => form.setFocus('code')}
          />
        }
      />
      {check.widget}
    </DialogForm>
  );
}
