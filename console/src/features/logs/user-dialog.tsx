import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Failed } from '../../shared/feedback/failed';
import { Loading } from '../../shared/feedback/loading';
import { Facts } from '../../shared/value/facts';
import { Quota } from '../../shared/value/quota';
import { UsedQuota } from '../../shared/value/used-quota';
import { logUserQuery, type LogLine } from './api';

interface UserDialogProps {
  line: LogLine | null;
  onClose: () => void;
}

/** Who made a call, and how they stand. */
export function UserDialog({ line, onClose }: UserDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog open={line !== null} onClose={onClose} fullWidth maxWidth="xs" aria-labelledby="log-user">
      <DialogTitle id="log-user">{t('logs.user.title', { name: line?.username ?? '' })}</DialogTitle>
      <DialogContent>{line !== null && <UserFacts id={line.user_id} />}</DialogContent>
      <DialogActions>
        {line !== null && (
          <Button component={Link} to={`/user/edit/${line.user_id}`}>
            {t('logs.user.open')}
          </Button>
        )}
        <Button onClick={onClose}>{t('common.close')}</Button>
      </DialogActions>
    </Dialog>
  );
}

function UserFacts({ id }: { id: number }) {
  const { t } = useTranslation();
  const { data, error, isError, refetch } = useQuery(logUserQuery(id));
  if (isError) return <Failed title={t('logs.user.failed')} error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  return (
    <Facts
      facts={[
        data.DeletedAt !== null && [t('logs.user.state'), t('logs.user.deregistered')],
        [t('logs.user.balance'), <Quota key="balance" value={data.quota} />],
        [
          t('logs.user.used'),
          <UsedQuota key="used" charged={data.used_quota} refunded={data.refunded_quota} />,
        ],
        [t('logs.user.calls'), data.request_count.toLocaleString('en-US')],
        [t('logs.user.group'), data.group],
      ]}
    />
  );
}
