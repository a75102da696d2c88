import Box from '@mui/material/Box';
import Dialog from '@mui/material/Dialog';
import DialogContent from '@mui/material/DialogContent';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { AccountLink } from '../../shared/accounts/account-link';
import { DialogHeading } from '../../shared/dialog/dialog-heading';
import { Empty } from '../../shared/feedback/empty';
import type { Column } from '../../shared/table/columns';
import { DataTable } from '../../shared/table/data-table';
import { Quota } from '../../shared/value/quota';
import { creatorSumsQuery, type CreatorSum } from './api';

/** Creators of codes with the state of their codes, for root to supervise administrators. */
export function CreatorsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const query = useQuery(creatorSumsQuery);
  const rows = query.data;
  const columns: Column<CreatorSum>[] = [
    {
      id: 'who',
      label: t('redemptions.creators.who'),
      choosable: false,
      card: 'title',
      render: (sum) => <AccountLink id={sum.user_id} name={sum.username} />,
    },
    {
      id: 'made',
      label: t('redemptions.creators.made'),
      align: 'right',
      card: 'line',
      render: (sum) => <CountAndQuota count={sum.created} quota={sum.created_quota} />,
    },
    {
      id: 'used',
      label: t('redemptions.creators.used'),
      align: 'right',
      card: 'line',
      render: (sum) => <CountAndQuota count={sum.used} quota={sum.used_quota} />,
    },
    {
      id: 'own',
      label: t('redemptions.creators.own'),
      align: 'right',
      card: 'line',
      render: (sum) => sum.used_by_creator,
    },
  ];
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="code-creators">
      <DialogHeading
        id="code-creators"
        title={t('redemptions.creators.title')}
        note={t('redemptions.creators.help')}
        onClose={onClose}
      />
      <DialogContent sx={{ p: 0 }}>
        <DataTable
          name="code-creators"
          label={t('redemptions.creators.title')}
          columns={columns}
          query={{
            ...query,
            data: rows === undefined ? undefined : { items: rows, total: rows.length },
            refetch: () => query.refetch(),
          }}
          rowId={(sum) => sum.user_id}
          rowName={(sum) => sum.username}
          empty={<Empty title={t('redemptions.empty.title')} />}
          failedTitle={t('redemptions.loadFailed')}
        />
      </DialogContent>
    </Dialog>
  );
}

function CountAndQuota({ count, quota }: { count: number; quota: number }) {
  return (
    <>
      {count}
      <Box component="span" sx={{ color: 'text.secondary', ml: 1 }}>
        <Quota value={quota} />
      </Box>
    </>
  );
}
