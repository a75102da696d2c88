import Box from '@mui/material/Box';
import Drawer from '@mui/material/Drawer';
import Paper from '@mui/material/Paper';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCurrentUser } from '../../api/current-user';
import { loadTexts } from '../../i18n';
import { useCopy } from '../../shared/dialog/manual-copy';
import { lazyPart } from '../../shared/feedback/lazy-part';
import { useCallableModels, useExampleModel } from '../../shared/session/example-model';
import { usableModelsQuery } from '../../shared/session/reference-lists';
import type { ChatSettings } from './chat/chat-settings';
import { comparisonText } from './chat/comparison-text';
import type { Lane } from './chat/lane';
import type { ChatMessage } from './chat/messages';
import { ReceiptBook } from './chat/receipt-book';
import { sumOf } from './chat/use-receipts';
import { exchanges, MAX_LANES, useLanes } from './use-lanes';
import { useSaving } from './use-saving';
import type { Conversation } from './store/conversation';
import type { ConversationStore } from './store/conversation-store';
import { ChatToolbar } from './view/chat-toolbar';
import { Composer } from './view/composer';
import { LaneView } from './view/lane-view';
import { SettingsPanel } from './view/settings-panel';
import { useFigures } from './view/use-figures';

const CallDrawer = lazyPart(
  async () => (await Promise.all([import('./view/call-drawer'), loadTexts('logs', 'money')]))[0].CallDrawer,
);
const CodeDialog = lazyPart(async () => (await import('./view/code-dialog')).CodeDialog);

const NO_MODELS: readonly string[] = [];

interface ChatWorkspaceProps {
  initial: Conversation;
  /** Model and question of the address; empty = none. */
  wanted: { readonly model: string; readonly question: string };
  store: ConversationStore | undefined;
  onHistory: () => void;
  onNew: () => void;
  /** Opens a new conversation with these settings and messages. */
  onBranch: (settings: ChatSettings, messages: readonly ChatMessage[], model: string) => void;
}

/** One conversation, with one model or with several side by side. */
export function ChatWorkspace({ initial, wanted, store, onHistory, onNew, onBranch }: ChatWorkspaceProps) {
  const { t } = useTranslation();
  const isPhone = useMediaQuery('(max-width:899px)');
  const [settings, setSettings] = useState(initial.settings);
  const [receipts] = useState(() => new ReceiptBook(initial.receipts));
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({});
  const [active, setActive] = useState(0);
  const [inspected, setInspected] = useState<readonly string[]>();
  const [isCodeOpen, setCodeOpen] = useState(false);
  const [isSettingsOpen, setSettingsOpen] = useState(false);
  const copy = useCopy();
  const { lanes, isAnswering, refresh, vote, ...actions } = useLanes(initial, settings);
  const usable = useQuery(usableModelsQuery).data ?? NO_MODELS;
  const ownGroup = useCurrentUser()?.group ?? '';
  const models = useCallableModels(usable, (settings.group === '' ? ownGroup : settings.group) || undefined);
  const example = useExampleModel(models);
  const modelOf = (lane: Lane, index: number): string =>
    [chosen[lane.id], index === 0 ? wanted.model : '', lane.firstModel, example].find(
      (name) => name !== undefined && models.includes(name),
    ) ?? '';
  const shownModels = lanes.map(modelOf);
  useEffect(() => {
    lanes.forEach((lane, index) => (lane.model = shownModels[index] ?? ''));
  });

  const announce = useSaving(store, { id: initial.id, lanes, settings, receipts });
  useEffect(() => announce(), [settings, lanes, announce]);
  useEffect(() => receipts.subscribe(announce), [receipts, announce]);
  const isComparing = lanes.length > 1;
  const tools = useMemo(
    () => ({
      isComparing,
      receipts,
      onInspect: setInspected,
      onBranch: (laneId: string, messageId: string) => {
        const lane = lanes.find(({ id }) => id === laneId);
        if (lane === undefined) return;
        const { messages } = lane.chat;
        const end = messages.findIndex(({ id }) => id === messageId);
        onBranch(settings, messages.slice(0, end + 1), lane.model);
      },
      onVote: vote,
    }),
    [isComparing, receipts, lanes, settings, onBranch, vote],
  );

  const figuresOf = useFigures();
  const writtenFigures = (answer: ChatMessage): string => {
    const known = receipts.all();
    const found = (answer.metadata?.calls ?? []).flatMap(({ requestId }) => known[requestId] ?? []);
    const vote = answer.metadata?.isBest === true ? ` · ${t('playground.vote')}` : '';
    return figuresOf(answer, found.length === 0 ? undefined : sumOf(found), false) + vote;
  };
  const activeIndex = Math.min(active, lanes.length - 1);
  const activeLane = lanes[activeIndex];
  const setModel = (laneId: string, model: string) => setChosen((known) => ({ ...known, [laneId]: model }));
  // The panel is drawn again only when what it shows changes: it is half of the page.
  const changeSettings = useCallback(
    (patch: Partial<ChatSettings>) => setSettings((known) => ({ ...known, ...patch })),
    [],
  );
  const activeId = activeLane?.id;
  const setActiveModel = useCallback(
    (model: string) => activeId !== undefined && setChosen((known) => ({ ...known, [activeId]: model })),
    [activeId],
  );
  const { clear } = actions;
  const clearAll = useCallback(() => {
    clear();
    setSettingsOpen(false);
  }, [clear]);
  const panel = (
    <SettingsPanel
      settings={settings}
      model={shownModels[activeIndex] ?? ''}
      models={models}
      store={store}
      onChange={changeSettings}
      onModel={setActiveModel}
      onClear={clearAll}
    />
  );
  const isReady = shownModels.every((model) => model !== '');
  return (
    <Box sx={LAYOUT}>
      {isPhone ? (
        <Drawer
          anchor="bottom"
          open={isSettingsOpen}
          onClose={() => setSettingsOpen(false)}
          slotProps={{
            paper: {
              role: 'dialog',
              'aria-modal': true,
              'aria-label': t('playground.settings'),
              sx: { maxHeight: '85dvh' },
            },
          }}
        >
          {panel}
        </Drawer>
      ) : (
        panel
      )}
      <Paper variant="outlined" sx={BOX}>
        <ChatToolbar
          model={shownModels[0] ?? ''}
          isPhone={isPhone}
          isFull={lanes.length >= MAX_LANES}
          isAnswering={isAnswering}
          onHistory={onHistory}
          onNew={onNew}
          onCode={() => setCodeOpen(true)}
          onSettings={() => setSettingsOpen(true)}
          onCopyComparison={
            isComparing
              ? () => {
                  const compared = lanes.map(({ model, chat }) => ({ model, messages: chat.messages }));
                  void copy(comparisonText(compared, writtenFigures));
                }
              : undefined
          }
          onCompare={() => actions.add(models.find((model) => !shownModels.includes(model)) ?? example)}
        />
        <Box
          sx={{
            flex: 1,
            minHeight: 0,
            display: 'flex',
            overflowX: isComparing ? 'auto' : 'hidden',
            '& > * + *': { borderLeft: 1, borderColor: 'divider' },
          }}
        >
          {lanes.map((lane, index) => (
            <LaneView
              key={lane.id}
              lane={lane}
              model={shownModels[index] ?? ''}
              models={models}
              tools={tools}
              onModel={(model) => setModel(lane.id, model)}
              onSettings={() => {
                setActive(index);
                setSettingsOpen(true);
              }}
              onRemove={() => actions.remove(lane.id)}
              onMessages={announce}
              onCall={refresh}
            />
          ))}
        </Box>
        <Composer
          initialText={wanted.question}
          canSend={isReady && !isAnswering}
          isAnswering={isAnswering}
          onSend={actions.ask}
          onStop={actions.stop}
        />
      </Paper>
      <Suspense fallback={null}>
        {inspected !== undefined && (
          <CallDrawer requestIds={inspected} exchanges={exchanges} onClose={() => setInspected(undefined)} />
        )}
        {isCodeOpen && activeLane !== undefined && (
          <CodeDialog
            body={activeLane.requestOf(activeLane.chat.messages)}
            onClose={() => setCodeOpen(false)}
          />
        )}
      </Suspense>
    </Box>
  );
}

/** The page as high as the window leaves below its head, so that the composer is in view without scrolling. */
const LAYOUT = {
  display: 'grid',
  gap: 2,
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: '280px minmax(0, 1fr)' },
  gridTemplateRows: 'minmax(0, 1fr)',
  height: { xs: 'calc(100dvh - 196px)', sm: 'calc(100dvh - 225px)' },
  minHeight: 400,
} as const;

const BOX = { display: 'flex', flexDirection: 'column', minWidth: 0, minHeight: 0 } as const;
