import BookmarkAddOutlined from '@mui/icons-material/BookmarkAddOutlined';
import BookmarksOutlined from '@mui/icons-material/BookmarksOutlined';
import DeleteOutlineRounded from '@mui/icons-material/DeleteOutlineRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import IconButton from '@mui/material/IconButton';
import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import ListItemButton from '@mui/material/ListItemButton';
import ListItemText from '@mui/material/ListItemText';
import TextField from '@mui/material/TextField';
import { useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../../shared/feedback/toast';
import { currentUserId } from '../../../api/current-user';
import { noteConversations } from '../../../shared/session/kept-conversations';
import type { StoredPrompt } from '../store/conversation';
import type { ConversationStore } from '../store/conversation-store';

const MAX_NAME = 60;

interface PromptLibraryProps {
  /** Absent while nothing is kept: there is no library then. */
  store: ConversationStore | undefined;
  text: string;
  onChoose: (text: string) => void;
}

/** System prompts the reader keeps in this browser under names. */
export function PromptLibrary({ store, text, onChoose }: PromptLibraryProps) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState<'save' | 'choose'>();
  if (store === undefined) return null;
  const close = () => setOpened(undefined);
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.5 }}>
      <Button size="small" startIcon={<BookmarksOutlined />} onClick={() => setOpened('choose')}>
        {t('playground.prompts.choose')}
      </Button>
      <Button
        size="small"
        startIcon={<BookmarkAddOutlined />}
        disabled={text.trim() === ''}
        onClick={() => setOpened('save')}
      >
        {t('playground.prompts.save')}
      </Button>
      {opened === 'save' && <SaveDialog store={store} text={text} onClose={close} />}
      {opened === 'choose' && (
        <ChooseDialog
          store={store}
          onClose={close}
          onChoose={(chosen) => {
            onChoose(chosen);
            close();
          }}
        />
      )}
    </Box>
  );
}

function SaveDialog({
  store,
  text,
  onClose,
}: {
  store: ConversationStore;
  text: string;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const id = useId();
  const [name, setName] = useState('');
  return (
    <Dialog open onClose={onClose} aria-labelledby={id} maxWidth="xs" fullWidth>
      <Box
        component="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() === '') return;
          noteConversations(currentUserId());
          void store.savePrompt({ name: name.trim(), text }).then(() => {
            toast('success', t('playground.prompts.saved', { name: name.trim() }));
            onClose();
          });
        }}
      >
        <DialogTitle id={id}>{t('playground.prompts.saveTitle')}</DialogTitle>
        <DialogContent>
          <TextField
            autoFocus
            fullWidth
            size="small"
            label={t('playground.prompts.name')}
            helperText={t('playground.prompts.nameHelp')}
            value={name}
            onChange={(event) => setName(event.target.value)}
            slotProps={{ htmlInput: { maxLength: MAX_NAME } }}
            sx={{ mt: 1 }}
          />
        </DialogContent>
        <DialogActions>
          <Button color="inherit" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button variant="contained" type="submit" disabled={name.trim() === ''}>
            {t('playground.prompts.save')}
          </Button>
        </DialogActions>
      </Box>
    </Dialog>
  );
}

interface ChooseDialogProps {
  store: ConversationStore;
  onChoose: (text: string) => void;
  onClose: () => void;
}

function ChooseDialog({ store, onChoose, onClose }: ChooseDialogProps) {
  const { t } = useTranslation();
  const id = useId();
  const [prompts, setPrompts] = useState<readonly StoredPrompt[]>();
  useEffect(() => {
    if (prompts === undefined) void store.prompts().then(setPrompts);
  }, [store, prompts]);
  return (
    <Dialog open onClose={onClose} aria-labelledby={id} maxWidth="sm" fullWidth>
      <DialogTitle id={id}>{t('playground.prompts.title')}</DialogTitle>
      <DialogContent>
        {prompts?.length === 0 && t('playground.prompts.none')}
        <List disablePadding>
          {(prompts ?? []).map(({ name, text }) => (
            <ListItem
              key={name}
              disablePadding
              secondaryAction={
                <IconButton
                  edge="end"
                  aria-label={t('playground.prompts.remove', { name })}
                  onClick={() => void store.removePrompt(name).then(() => setPrompts(undefined))}
                >
                  <DeleteOutlineRounded fontSize="small" />
                </IconButton>
              }
            >
              <ListItemButton onClick={() => onChoose(text)}>
                <ListItemText
                  primary={name}
                  secondary={text}
                  slotProps={{ secondary: { noWrap: true }, primary: { noWrap: true } }}
                />
              </ListItemButton>
            </ListItem>
          ))}
        </List>
      </DialogContent>
      <DialogActions>
        <Button color="inherit" onClick={onClose}>
          {t('common.close')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
