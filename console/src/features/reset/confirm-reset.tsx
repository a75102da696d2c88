import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import InputAdornment from '@mui/material/InputAdornment';
import Link from '@mui/material/Link';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';
import { FailureAlert } from '../../shared/feedback/failure-alert';
import { useCopy } from '../../shared/dialog/manual-copy';
import { FieldFrame } from '../../shared/form/field-frame';
import { MONO } from '../../shared/format/mono';
import { CopyButton } from '../../shared/value/copyable';
import { useConfirmReset } from './api';
import { RemainingMethods } from './remaining-methods';
import type { ResetLink } from './reset-link';

/** Redeems the link when asked to, so that a mail scanner that opens links changes nothing. */
export function ConfirmReset({ link }: { link: ResetLink }) {
  const { t } = useTranslation();
  const copy = useCopy();
  const confirm = useConfirmReset();
  const emailId = useId();
  const passwordId = useId();
  const redeem = () =>
    confirm.mutate(link, { onSuccess: (password) => void copy(password, t('reset.confirm.copied')) });
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <FieldFrame id={emailId} label={t('identity.email.label')}>
        <OutlinedInput id={emailId} value={link.email} readOnly fullWidth />
      </FieldFrame>
      {confirm.data === undefined ? (
        <>
          <FailureAlert failure={confirm.error} />
          <Button variant="contained" loading={confirm.isPending} onClick={redeem}>
            {t('reset.confirm.submit')}
          </Button>
          {confirm.isError && (
            <Link
              component={RouterLink}
              reloadDocument
              to="/reset"
              variant="body2"
              sx={{ justifySelf: 'center' }}
            >
              {t('reset.confirm.another')}
            </Link>
          )}
        </>
      ) : (
        <>
          <FieldFrame id={passwordId} label={t('reset.confirm.password')} help={t('reset.confirm.once')}>
            <OutlinedInput
              id={passwordId}
              value={confirm.data}
              readOnly
              fullWidth
              onFocus={(event) => event.target.select()}
              endAdornment={
                <InputAdornment position="end">
                  <CopyButton text={confirm.data} label={t('reset.confirm.copy')} edge="end" />
                </InputAdornment>
              }
              sx={{ '& input': { fontFamily: MONO } }}
            />
          </FieldFrame>
          <RemainingMethods />
          <Button variant="contained" component={RouterLink} to="/login">
            {t('reset.login')}
          </Button>
        </>
      )}
    </Box>
  );
}
