import DeleteOutlineRounded from '@mui/icons-material/DeleteOutlineRounded';
import DownloadRounded from '@mui/icons-material/DownloadRounded';
import UploadRounded from '@mui/icons-material/UploadRounded';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormControlLabel from '@mui/material/FormControlLabel';
import IconButton from '@mui/material/IconButton';
import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import ListItemButton from '@mui/material/ListItemButton';
import ListItemText from '@mui/material/ListItemText';
import Switch from '@mui/material/Switch';
import Typography from '@mui/material/Typography';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentUserId } from '../../../api/current-user';
import { useConfirm } from '../../../shared/dialog/confirm';
import { ReadingDrawer } from '../../../shared/dialog/reading-drawer';
import { toast } from '../../../shared/feedback/toast';
import { saveFile } from '../../../shared/browser/save-file';
import { noteConversations } from '../../../shared/session/kept-conversations';
import { Moment } from '../../../shared/value/moment';
import type { ConversationSummary } from '../store/conversation';
import { MAX_STORED_BYTES } from '../store/conversation-store';
import { readExport, writeExport } from '../store/transfer';
import { type KeptConversations, storedKeeping } from '../store/use-store';

interface HistoryDrawerProps {
  kept: KeptConversations;
  /** The conversation on screen. */
  currentId: string;
  onOpen: (id: string) => void;
  onClose: () => void;
  /** The conversation on screen was deleted. */
  onGone: () => void;
}

/** Conversations this browser keeps for the account. */
export function HistoryDrawer({ kept, currentId, onOpen, onClose, onGone }: HistoryDrawerProps) {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const { store, isPossible, isKeeping } = kept;
  const input = useRef<HTMLInputElement>(null);
  const [list, setList] = useState<readonly ConversationSummary[]>([]);
  const reload = useCallback(() => void store?.list().then(setList), [store]);
  useEffect(reload, [reload]);
  const usedBytes = list.reduce((sum, { bytes }) => sum + bytes, 0);

  const remove = async ({ id, title }: ConversationSummary) => {
    const isSure = await confirm({
      title: t('playground.history.removeTitle'),
      consequence: title,
      action: t('playground.history.remove'),
      danger: true,
    });
    if (!isSure) return;
    await store?.remove(id);
    reload();
    if (id === currentId) onGone();
  };
  const keep = async (isWanted: boolean) => {
    if (!isWanted && list.length > 0) {
      const isSure = await confirm({
        title: t('playground.history.offTitle'),
        consequence: t('playground.history.offText', { count: list.length }),
        action: t('playground.history.off'),
        danger: true,
      });
      if (!isSure) return;
      await store?.clear();
      setList([]);
    }
    storedKeeping.write(isWanted ? 'true' : 'false');
  };
  const exportAll = async () => {
    if (store === undefined) return;
    saveFile('playground.json', new Blob([writeExport(await store.all())], { type: 'application/json' }));
  };
  const importFile = async (file: File | undefined) => {
    if (file === undefined || store === undefined) return;
    const conversations = readExport(await file.text());
    if (conversations === undefined) return toast('error', t('playground.history.notAnExport'));
    let count = 0;
    for (const conversation of conversations) if (await store.save(conversation)) count += 1;
    if (count > 0) noteConversations(currentUserId());
    reload();
    toast('success', t('playground.history.imported', { count }));
  };

  return (
    <ReadingDrawer open onClose={onClose} title={t('playground.history.title')} width={440}>
      <Box sx={{ px: 3, py: 2, display: 'grid', gap: 1.5, alignContent: 'start', overflowY: 'auto' }}>
        <Typography variant="body2" color="textSecondary">
          {t('playground.history.lead')}
        </Typography>
        {isPossible ? (
          <FormControlLabel
            control={<Switch checked={isKeeping} onChange={(_event, checked) => void keep(checked)} />}
            label={t('playground.history.keep')}
          />
        ) : (
          <Alert severity="info">{t('playground.history.impossible')}</Alert>
        )}
        {store !== undefined && (
          <>
            <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
              <Button
                size="small"
                variant="outlined"
                color="inherit"
                startIcon={<DownloadRounded />}
                disabled={list.length === 0}
                onClick={() => void exportAll()}
              >
                {t('playground.history.export')}
              </Button>
              <Button
                size="small"
                variant="outlined"
                color="inherit"
                startIcon={<UploadRounded />}
                onClick={() => input.current?.click()}
              >
                {t('playground.history.import')}
              </Button>
              <input
                ref={input}
                type="file"
                hidden
                accept="application/json,.json"
                data-testid="import"
                onChange={(event) => {
                  void importFile(event.target.files?.[0]);
                  event.target.value = '';
                }}
              />
            </Box>
            {list.length === 0 && <Typography>{t('playground.history.none')}</Typography>}
            <List disablePadding>
              {list.map((each) => (
                <ListItem
                  key={each.id}
                  disablePadding
                  secondaryAction={
                    <IconButton
                      edge="end"
                      aria-label={t('playground.history.removeNamed', { title: each.title })}
                      onClick={() => void remove(each)}
                    >
                      <DeleteOutlineRounded fontSize="small" />
                    </IconButton>
                  }
                >
                  <ListItemButton selected={each.id === currentId} onClick={() => onOpen(each.id)}>
                    <ListItemText
                      primary={each.title}
                      secondary={<Moment seconds={Math.floor(each.updatedAtMs / 1_000)} />}
                      slotProps={{ primary: { noWrap: true } }}
                    />
                  </ListItemButton>
                </ListItem>
              ))}
            </List>
            <Typography variant="caption" color="textSecondary">
              {t('playground.history.used', {
                used: megabytes(usedBytes),
                limit: megabytes(MAX_STORED_BYTES),
              })}
            </Typography>
          </>
        )}
      </Box>
    </ReadingDrawer>
  );
}

const megabytes = (bytes: number): string => (bytes / 1_048_576).toFixed(bytes < 1_048_576 ? 2 : 0);
