import DeleteOutlineRounded from '@mui/icons-material/DeleteOutlineRounded';
import SellOutlined from '@mui/icons-material/SellOutlined';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyDialog } from '../../shared/feedback/lazy-dialog';
import { useConfirm } from '../../shared/dialog/confirm';
import { toast } from '../../shared/feedback/toast';
import { SelectionBar } from '../../shared/table/selection-bar';
import { useDeleteChannels } from './api';

const BatchTagDialog = lazyDialog(
  async () => (await import('./tag-dialogs')).BatchTagDialog,
  ({ open }) => open,
);

interface ChannelSelectionBarProps {
  ids: readonly number[];
  onClear: () => void;
}

export function ChannelSelectionBar({ ids, onClear }: ChannelSelectionBarProps) {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const remove = useDeleteChannels();
  const [tagging, setTagging] = useState(false);
  const askAndDelete = async () => {
    const yes = await confirm({
      title: t('channels.confirm.deleteMany', { count: ids.length }),
      consequence: t('channels.confirm.deleteManyText'),
      action: t('common.delete'),
      danger: true,
    });
    if (!yes) return;
    remove.mutate([...ids], {
      onSuccess: (count) => {
        toast('success', t('channels.done.batchDeleted', { count }));
        onClear();
      },
    });
  };
  return (
    <>
      <SelectionBar count={ids.length} onClear={onClear}>
        <Button size="small" startIcon={<SellOutlined />} onClick={() => setTagging(true)}>
          {t('channels.batch.tag')}
        </Button>
        <Button
          size="small"
          color="error"
          startIcon={<DeleteOutlineRounded />}
          onClick={() => void askAndDelete()}
        >
          {t('channels.batch.delete')}
        </Button>
      </SelectionBar>
      <BatchTagDialog
        ids={ids}
        open={tagging}
        onClose={() => setTagging(false)}
        onDone={() => {
          setTagging(false);
          onClear();
        }}
      />
    </>
  );
}
