import SendRounded from '@mui/icons-material/SendRounded';
import StopRounded from '@mui/icons-material/StopRounded';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import InputBase from '@mui/material/InputBase';
import Paper from '@mui/material/Paper';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { useCurrentUser } from '../../api/current-user';
import { PageHeader } from '../../shared/page/page-header';
import { useChatModels, useExampleModel } from '../../shared/session/example-model';
import { usableModelsQuery } from '../../shared/session/reference-lists';
import type { ChatSettings } from './conversation';
import { MessageList } from './message-list';
import { SettingsPanel } from './settings-panel';
import { usePlaygroundChat } from './use-chat';

const MAX_LINES = 8;

/** Tries models on the reader's own account. */
export function PlaygroundPage() {
  const { t } = useTranslation();
  const chat = usePlaygroundChat();
  const isExpired = useSearchParams()[0].get('expired') === 'true';
  const usable = useQuery(usableModelsQuery).data ?? [];
  const ownGroup = useCurrentUser()?.group ?? '';
  const [chosen, setChosen] = useState<ChatSettings>(() => ({
    group: '',
    model: '',
    temperature: 0,
    maxTokens: 0,
    systemPrompt: t('playground.systemPromptDefault'),
  }));
  const models = useChatModels(usable, (chosen.group === '' ? ownGroup : chosen.group) || undefined);
  const example = useExampleModel(models);
  const model = [chosen.model, example].find((name) => models.includes(name)) ?? '';
  const settings = { ...chosen, model };
  return (
    <>
      <PageHeader title={t('shell.nav.playground')} explanation={t('playground.lead')} />
      {isExpired && (
        <Alert severity="warning" sx={{ mb: 2 }}>
          {t('common.error.signedOut')}
        </Alert>
      )}
      <Box
        sx={{
          display: 'grid',
          gap: 2,
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: '280px minmax(0, 1fr)' },
        }}
      >
        <SettingsPanel
          settings={settings}
          models={models}
          onChange={(patch) => setChosen((now) => ({ ...now, ...patch }))}
          onClear={chat.clear}
        />
        <Paper
          variant="outlined"
          sx={{
            display: 'flex',
            flexDirection: 'column',
            height: { xs: '70dvh', md: 'calc(100dvh - 190px)' },
            minHeight: 360,
          }}
        >
          <MessageList messages={chat.messages} />
          <Composer
            canSend={model !== '' && !chat.isAnswering}
            isAnswering={chat.isAnswering}
            onSend={(text) => chat.ask(text, settings)}
            onStop={chat.stop}
          />
        </Paper>
      </Box>
    </>
  );
}

interface ComposerProps {
  canSend: boolean;
  isAnswering: boolean;
  onSend: (text: string) => void;
  onStop: () => void;
}

/** Enter sends, Shift and Enter begin a line; keys that choose a character of an input method do neither. */
function Composer({ canSend, isAnswering, onSend, onStop }: ComposerProps) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const send = () => {
    if (!canSend || text.trim() === '') return;
    onSend(text.trim());
    setText('');
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <Box
      sx={{ display: 'flex', gap: 1, alignItems: 'flex-end', p: 1.25, borderTop: 1, borderColor: 'divider' }}
    >
      <InputBase
        fullWidth
        multiline
        maxRows={MAX_LINES}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKey}
        placeholder={t('playground.placeholder')}
        inputProps={{ 'aria-label': t('playground.message') }}
        sx={{ px: 1, py: 0.75 }}
      />
      {isAnswering ? (
        <Button variant="outlined" color="inherit" onClick={onStop} startIcon={<StopRounded />}>
          {t('playground.stop')}
        </Button>
      ) : (
        <Button
          variant="contained"
          onClick={send}
          disabled={!canSend || text.trim() === ''}
          endIcon={<SendRounded />}
        >
          {t('playground.send')}
        </Button>
      )}
    </Box>
  );
}
