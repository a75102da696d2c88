import BlockRounded from '@mui/icons-material/BlockRounded';
import CheckCircleOutlineRounded from '@mui/icons-material/CheckCircleOutlineRounded';
import ErrorOutlineRounded from '@mui/icons-material/ErrorOutlineRounded';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import DialogContent from '@mui/material/DialogContent';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useConfirm } from '../../shared/dialog/confirm';
import { DialogHeading } from '../../shared/dialog/dialog-heading';
import { Failed } from '../../shared/feedback/failed';
import { Loading } from '../../shared/feedback/loading';
import { StatusTag } from '../../shared/feedback/status-tag';
import { toast } from '../../shared/feedback/toast';
import { MONO } from '../../shared/format/mono';
import { formatSeconds } from '../../shared/format/timestamp';
import { channelKeysQuery, useKeyAction, type Channel, type ChannelKey, type KeyAction } from './api';
import { channelDialog } from './channel-dialog';
import { channelStatus } from './channel.labels';

const ICONS = {
  enabled: <CheckCircleOutlineRounded />,
  disabled: <BlockRounded />,
  auto: <ErrorOutlineRounded />,
  unknown: <BlockRounded />,
};

/** The keys of a channel that has several: which work, which are off and why. The keys themselves are never shown. */
export const ChannelKeysDialog = channelDialog('channel-keys-title', Keys);

function Keys({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const query = useQuery(channelKeysQuery(channel.id));
  const action = useKeyAction(channel.id);
  const act = async (wish: KeyAction) => {
    const isDeletion = wish.action === 'delete_key' || wish.action === 'delete_disabled_keys';
    const yes =
      !isDeletion ||
      (await confirm({
        title: t(
          wish.action === 'delete_key' ? 'channels.keys.confirmDelete' : 'channels.keys.confirmDeleteFallen',
        ),
        consequence: t('channels.keys.confirmText'),
        action: t('common.delete'),
        danger: true,
      }));
    if (!yes) return;
    action.mutate(wish, {
      onSuccess: (list) => toast('success', t('channels.keys.done', { count: list.changed })),
    });
  };
  const list = query.data;
  return (
    <>
      <DialogHeading
        id="channel-keys-title"
        title={t('channels.keys.title', { name: channel.name })}
        {...(list !== undefined && {
          note: t('channels.keys.summary', {
            on: list.enabled_count,
            byHand: list.manual_disabled_count,
            auto: list.auto_disabled_count,
          }),
        })}
        onClose={onClose}
      />
      <DialogContent>
        {query.isError && (
          <Failed
            title={t('channels.keys.failed')}
            error={query.error}
            onRetry={() => void query.refetch()}
          />
        )}
        {query.isPending && <Loading />}
        {list !== undefined && (
          <>
            {list.enabled_count === 0 && (
              <Alert severity="warning" sx={{ mb: 1.5 }}>
                {t('channels.keys.noneLeft')}
              </Alert>
            )}
            <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.5, mb: 1 }}>
              <Button
                size="small"
                variant="outlined"
                color="inherit"
                onClick={() => void act({ action: 'enable_all_keys' })}
              >
                {t('channels.keys.enableAll')}
              </Button>
              {list.auto_disabled_count > 0 && (
                <Button
                  size="small"
                  variant="outlined"
                  color="error"
                  onClick={() => void act({ action: 'delete_disabled_keys' })}
                >
                  {t('channels.keys.deleteFallen')}
                </Button>
              )}
            </Box>
            <Box component="ul" sx={{ listStyle: 'none', p: 0, m: 0 }}>
              {list.keys.map((key) => (
                <KeyLine
                  key={key.index}
                  item={key}
                  isBusy={action.isPending}
                  onAct={(wish) => void act(wish)}
                />
              ))}
            </Box>
          </>
        )}
      </DialogContent>
    </>
  );
}

interface KeyLineProps {
  item: ChannelKey;
  isBusy: boolean;
  onAct: (wish: KeyAction) => void;
}

function KeyLine({ item, isBusy, onAct }: KeyLineProps) {
  const { t } = useTranslation();
  const { word, tone } = channelStatus(item.status);
  const isOn = word === 'enabled';
  const name = t('channels.keys.name', { number: item.index + 1 });
  return (
    <Box component="li" sx={{ borderTop: 1, borderColor: 'divider', py: 1, display: 'grid', gap: 0.5 }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 }}>
        <Box component="span" sx={{ minWidth: 64 }}>
          {name}
        </Box>
        <Box component="span" sx={{ fontFamily: MONO, fontSize: 13, color: 'text.secondary', flex: 1 }}>
          {item.hint}
        </Box>
        <StatusTag tone={tone} icon={ICONS[word]}>
          {t(`channels.status.${word}`)}
        </StatusTag>
        <Button
          size="small"
          disabled={isBusy}
          aria-label={t(isOn ? 'channels.keys.disableNamed' : 'channels.keys.enableNamed', { name })}
          onClick={() => onAct({ action: isOn ? 'disable_key' : 'enable_key', key_index: item.index })}
        >
          {t(isOn ? 'channels.action.disable' : 'channels.action.enable')}
        </Button>
        <Button
          size="small"
          color="error"
          disabled={isBusy}
          aria-label={t('channels.keys.deleteNamed', { name })}
          onClick={() => onAct({ action: 'delete_key', key_index: item.index })}
        >
          {t('channels.action.delete')}
        </Button>
      </Box>
      {item.reason !== '' && (
        <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
          {t('channels.status.reason', { reason: item.reason, time: formatSeconds(item.time) })}
        </Typography>
      )}
    </Box>
  );
}
