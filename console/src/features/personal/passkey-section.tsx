import { browserSupportsWebAuthn } from '@simplewebauthn/browser';
import FingerprintRounded from '@mui/icons-material/FingerprintRounded';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useConfirm } from '../../shared/dialog/confirm';
import { Failed } from '../../shared/feedback/failed';
import { toast } from '../../shared/feedback/toast';
import { useErrorText } from '../../shared/feedback/use-error-text';
import { Section } from '../../shared/page/section';
import { useFreshly } from '../../shared/identity/step-up';
import { Moment } from '../../shared/value/moment';
import { ListRow } from './list-row';
import { passkeysQuery, useDeletePasskey, type Passkey } from './passkeys.api';
import { AddPasskey, RenamePasskey } from './passkey-dialogs';

/** Passkeys of the account: sign in without a password. */
export function PasskeySection() {
  const { t } = useTranslation();
  const { data, error, isError, refetch } = useQuery(passkeysQuery);
  const [adding, setAdding] = useState(false);
  const [renaming, setRenaming] = useState<Passkey | null>(null);
  const canAdd = browserSupportsWebAuthn() && data?.available === true;
  return (
    <Section title={t('personal.passkeys.title')} explanation={t('personal.passkeys.help')}>
      {isError ? (
        <Failed title={t('personal.passkeys.failed')} error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height={56} />
      ) : (
        <Box sx={{ display: 'grid', gap: 1.5 }}>
          {data.items.length > 0 && (
            <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
              {data.items.map((passkey) => (
                <PasskeyLine key={passkey.id} passkey={passkey} onRename={() => setRenaming(passkey)} />
              ))}
            </Box>
          )}
          {!canAdd && <Alert severity="info">{t('personal.passkeys.unavailable')}</Alert>}
          <div>
            <Button
              variant="outlined"
              startIcon={<FingerprintRounded />}
              disabled={!canAdd}
              onClick={() => setAdding(true)}
            >
              {t('personal.passkeys.add')}
            </Button>
          </div>
        </Box>
      )}
      <AddPasskey open={adding} onClose={() => setAdding(false)} />
      <RenamePasskey passkey={renaming} onClose={() => setRenaming(null)} />
    </Section>
  );
}

function PasskeyLine({ passkey, onRename }: { passkey: Passkey; onRename: () => void }) {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const remove = useDeletePasskey();
  const freshly = useFreshly();
  const errorText = useErrorText();
  const askAndDelete = async () => {
    const yes = await confirm({
      title: t('personal.passkeys.deleteNamed', { name: passkey.name }),
      consequence: t('personal.passkeys.deleteHelp'),
      action: t('common.delete'),
      danger: true,
    });
    if (!yes) return;
    try {
      await freshly(() => remove.mutateAsync(passkey.id));
      toast('success', t('personal.passkeys.deleted'));
    } catch (error) {
      toast('error', errorText(error));
    }
  };
  return (
    <ListRow gap={1}>
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography variant="body2" noWrap title={passkey.name}>
          {passkey.name}
        </Typography>
        <Typography variant="caption" color="textSecondary">
          {t('personal.passkeys.created')} <Moment seconds={passkey.created_at} />
          {' · '}
          {passkey.last_used_at === 0 ? (
            t('personal.passkeys.unused')
          ) : (
            <>
              {t('personal.passkeys.used')} <Moment seconds={passkey.last_used_at} />
            </>
          )}
          {passkey.synced && ` · ${t('personal.passkeys.synced')}`}
        </Typography>
      </Box>
      <Button
        size="small"
        color="inherit"
        aria-label={t('personal.passkeys.renameNamed', { name: passkey.name })}
        onClick={onRename}
      >
        {t('personal.passkeys.rename')}
      </Button>
      <Button
        size="small"
        color="error"
        loading={remove.isPending}
        aria-label={t('personal.passkeys.deleteNamed', { name: passkey.name })}
        onClick={() => void askAndDelete()}
      >
        {t('common.delete')}
      </Button>
    </ListRow>
  );
}
