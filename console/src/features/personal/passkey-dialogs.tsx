import { zodResolver } from '@hookform/resolvers/zod';
import Typography from '@mui/material/Typography';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { DialogForm } from '../../shared/dialog/dialog-form';
import { toast } from '../../shared/feedback/toast';
import { TextField } from '../../shared/form/text-field';
import { useFreshly } from '../../shared/identity/step-up';
import { LIMITS } from '../../shared/form/limits';
import { atMost } from '../../shared/form/rules';
import { browserName } from '../../shared/browser/browser-name';
import { useAddPasskey, useRenamePasskey, type Passkey } from './passkeys.api';

function nameSchema(t: TFunction) {
  return z.object({
    name: z
      .string()
      .check(z.trim(), z.minLength(1, t('personal.passkeys.nameMissing')), atMost(t, LIMITS.passkeyName)),
  });
}

interface AddPasskeyProps {
  open: boolean;
  onClose: () => void;
}

/** Asks for a name, then the browser asks for the finger. */
export function AddPasskey({ open, onClose }: AddPasskeyProps) {
  const { t } = useTranslation();
  const add = useAddPasskey();
  const freshly = useFreshly();
  const schema = useMemo(() => nameSchema(t), [t]);
  const form = useForm({
    resolver: zodResolver(schema),
    defaultValues: { name: browserName(navigator.userAgent) ?? '' },
  });
  return (
    <DialogForm
      open={open}
      title={t('personal.passkeys.add')}
      form={form}
      submitLabel={t('personal.passkeys.addAction')}
      onClose={onClose}
      onSubmit={async ({ name }) => {
        await freshly(() => add.mutateAsync(name));
        toast('success', t('personal.passkeys.added'));
        onClose();
      }}
    >
      <Typography variant="body2" color="textSecondary">
        {t('personal.passkeys.addHelp')}
      </Typography>
      <TextField control={form.control} name="name" label={t('personal.passkeys.name')} autoFocus />
    </DialogForm>
  );
}

interface RenamePasskeyProps {
  /** Null closes the dialog. */
  passkey: Passkey | null;
  onClose: () => void;
}

export function RenamePasskey({ passkey, onClose }: RenamePasskeyProps) {
  const { t } = useTranslation();
  const rename = useRenamePasskey();
  const schema = useMemo(() => nameSchema(t), [t]);
  const form = useForm({ resolver: zodResolver(schema), values: { name: passkey?.name ?? '' } });
  return (
    <DialogForm
      open={passkey !== null}
      title={t('personal.passkeys.rename')}
      form={form}
      submitLabel={t('common.save')}
      onClose={onClose}
      onSubmit={async ({ name }) => {
        if (passkey === null) return;
        await rename.mutateAsync({ id: passkey.id, name });
        toast('success', t('personal.passkeys.renamed'));
        onClose();
      }}
    >
      <TextField control={form.control} name="name" label={t('personal.passkeys.name')} autoFocus />
    </DialogForm>
  );
}
