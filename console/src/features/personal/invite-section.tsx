import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import InputAdornment from '@mui/material/InputAdornment';
import OutlinedInput from '@mui/material/OutlinedInput';
import Skeleton from '@mui/material/Skeleton';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyDialog } from '../../shared/feedback/lazy-dialog';
import { useCopy } from '../../shared/dialog/manual-copy';
import { Failed } from '../../shared/feedback/failed';
import { FieldFrame } from '../../shared/form/field-frame';
import { Section } from '../../shared/page/section';
import type { Self } from '../../shared/session/self';
import { useServerAddress } from '../../shared/session/status';
import { Facts } from '../../shared/value/facts';
import { Quota } from '../../shared/value/quota';
import { inviteCodeQuery } from './api';

const TransferDialog = lazyDialog(
  async () => (await import('./transfer-dialog')).TransferDialog,
  ({ open }) => open,
);

/** The own invite link, and what it has earned. */
export function InviteSection({ self }: { self: Self }) {
  const { t } = useTranslation();
  const [transferOpen, setTransferOpen] = useState(false);
  return (
    <Section title={t('personal.invite.title')} explanation={t('personal.invite.help')}>
      <Box sx={{ display: 'grid', gap: 2 }}>
        <InviteLink />
        <Facts
          facts={[
            [t('personal.invite.pending'), <Quota key="pending" value={self.aff_quota} />],
            [t('personal.invite.total'), <Quota key="total" value={self.aff_history_quota} />],
            [t('personal.invite.count'), self.aff_count.toLocaleString('en-US')],
          ]}
        />
        <div>
          <Button variant="outlined" disabled={self.aff_quota <= 0} onClick={() => setTransferOpen(true)}>
            {t('personal.invite.transfer')}
          </Button>
        </div>
      </Box>
      <TransferDialog open={transferOpen} available={self.aff_quota} onClose={() => setTransferOpen(false)} />
    </Section>
  );
}

function InviteLink() {
  const { t } = useTranslation();
  const id = useId();
  const copy = useCopy();
  const address = useServerAddress();
  const { data, error, isError, refetch } = useQuery(inviteCodeQuery);
  if (isError) {
    return <Failed title={t('personal.invite.failed')} error={error} onRetry={() => void refetch()} />;
  }
  if (data === undefined) return <Skeleton height={56} />;
  const link = `${address}/register?aff=${encodeURIComponent(data)}`;
  return (
    <FieldFrame id={id} label={t('personal.invite.link')}>
      <OutlinedInput
        id={id}
        value={link}
        readOnly
        fullWidth
        onFocus={(event) => event.target.select()}
        endAdornment={
          <InputAdornment position="end">
            <Button size="small" onClick={() => void copy(link, t('personal.invite.copied'))}>
              {t('common.copy')}
            </Button>
          </InputAdornment>
        }
      />
    </FieldFrame>
  );
}
