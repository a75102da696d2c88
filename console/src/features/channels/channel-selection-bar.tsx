import DeleteOutlineRounded from '@mui/icons-material/DeleteOutlineRounded';
import SellOutlined from '@mui/icons-material/SellOutlined';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyDialog } from '../../shared/feedback/lazy-dialog';
import { useUndo } from '../../shared/feedback/use-undo';
import { SelectionBar } from '../../shared/table/selection-bar';
import { useDeleteChannels } from './api';
import { BulkButtons } from './bulk-buttons';

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
  const offerUndo = useUndo('channels');
  const remove = useDeleteChannels();
  const [tagging, setTagging] = useState(false);
  const removeChosen = () =>
    remove.mutate([...ids], {
      onSuccess: (count) => {
        offerUndo(t('channels.done.batchDeleted', { count }), ids);
        onClear();
      },
    });
  return (
    <>
      <SelectionBar count={ids.length} onClear={onClear}>
        <BulkButtons ids={ids} onDone={onClear} />
        <Button size="small" startIcon={<SellOutlined />} onClick={() => setTagging(true)}>
          {t('channels.batch.tag')}
        </Button>
        <Button size="small" color="error" startIcon={<DeleteOutlineRounded />} onClick={removeChosen}>
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
