import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import Box from '@mui/material/Box';
import { Suspense, useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { lazyPart } from '../../shared/feedback/lazy-part';
import { Loading } from '../../shared/feedback/loading';
import type { ChatSettings } from './chat/chat-settings';
import type { ChatMessage } from './chat/messages';
import { ChatWorkspace } from './chat-workspace';
import type { Conversation } from './store/conversation';
import { greeting, newConversation, takenUp } from './store/new-conversation';
import { useKeptConversations } from './store/use-store';

const MediaWorkspace = lazyPart(async () => (await import('./media/media-workspace')).MediaWorkspace);
const HistoryDrawer = lazyPart(async () => (await import('./view/history-drawer')).HistoryDrawer);

const MODES = ['chat', 'image', 'speech'] as const;
type Mode = (typeof MODES)[number];

/** The three kinds of calls; the address names the one on screen. */
export function PlaygroundBody() {
  const { t } = useTranslation();
  const [parameters, setParameters] = useSearchParams();
  const mode = MODES.find((each) => each === parameters.get('mode')) ?? 'chat';
  return (
    <>
      <Tabs
        value={mode}
        aria-label={t('playground.modes')}
        onChange={(_event, next: Mode) => setParameters(next === 'chat' ? {} : { mode: next })}
        sx={{ mb: 1.5, mt: -1, minHeight: 40 }}
      >
        {MODES.map((each) => (
          <Tab key={each} value={each} label={t(`playground.mode.${each}`)} id={`mode-${each}`} />
        ))}
      </Tabs>
      {mode === 'chat' ? (
        <ChatMode />
      ) : (
        <Suspense fallback={<Loading />}>
          <MediaWorkspace key={mode} mode={mode} wantedModel={parameters.get('model') ?? ''} />
        </Suspense>
      )}
    </>
  );
}

/** Model and question of an address, for the conversation that begins with them. */
const NOTHING_WANTED = { model: '', question: '' };
const NO_ADDRESS = '\n';

/** The conversation on screen: the last one that is kept, or a new one. */
function ChatMode() {
  const { t } = useTranslation();
  const kept = useKeptConversations();
  const { store } = kept;
  const [parameters, setParameters] = useSearchParams();
  const [model, question] = [parameters.get('model') ?? '', parameters.get('q') ?? ''];
  const [wanted, setWanted] = useState(NOTHING_WANTED);
  const [current, setCurrent] = useState<Conversation>();
  const [isHistoryOpen, setHistoryOpen] = useState(false);
  const open = useCallback((conversation: Conversation) => {
    setWanted(NOTHING_WANTED);
    setCurrent(conversation);
  }, []);
  const begin = useCallback(
    () =>
      newConversation(
        {
          group: '',
          systemPrompt: t('playground.systemPromptDefault'),
          tools: '',
          schema: '',
          parameters: {},
        },
        greeting(t('playground.greeting.user'), t('playground.greeting.assistant')),
      ),
    [t],
  );
  // Model and question of the address begin a conversation once: a reload shows what became of it.
  const address = `${model}\n${question}`;
  const [seen, setSeen] = useState(NO_ADDRESS);
  if (address !== seen) {
    setSeen(address);
    if (address !== NO_ADDRESS) {
      setWanted({ model, question });
      setCurrent(begin());
    }
  }
  useEffect(() => {
    if (address === NO_ADDRESS) return;
    setParameters(
      (known) => {
        known.delete('model');
        known.delete('q');
        return known;
      },
      { replace: true },
    );
  }, [address, setParameters]);
  useEffect(() => {
    if (!kept.isReady || current !== undefined) return;
    let isLeft = false;
    void (async () => {
      const last = (await store?.list())?.[0];
      const loaded = last === undefined ? undefined : await store?.load(last.id);
      if (!isLeft) setCurrent((known) => known ?? (loaded === undefined ? begin() : takenUp(loaded)));
    })();
    return () => void (isLeft = true);
  }, [kept.isReady, store, current, begin]);

  const branch = useCallback(
    (settings: ChatSettings, messages: readonly ChatMessage[], ofModel: string) =>
      open(newConversation(settings, messages, [{ model: ofModel }])),
    [open],
  );
  if (current === undefined) return <Loading />;
  return (
    <Box>
      <ChatWorkspace
        key={current.id}
        initial={current}
        wanted={wanted}
        store={store}
        onHistory={() => setHistoryOpen(true)}
        onNew={() => open(begin())}
        onBranch={branch}
      />
      {isHistoryOpen && (
        <Suspense fallback={null}>
          <HistoryDrawer
            kept={kept}
            currentId={current.id}
            onClose={() => setHistoryOpen(false)}
            onGone={() => open(begin())}
            onOpen={(id) => {
              setHistoryOpen(false);
              void store?.load(id).then((found) => found !== undefined && open(takenUp(found)));
            }}
          />
        </Suspense>
      )}
    </Box>
  );
}
