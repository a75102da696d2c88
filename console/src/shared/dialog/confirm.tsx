import {
  createContext,
  Suspense,
  useCallback,
  useContext,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from 'react';
import { lazyPart } from '../feedback/lazy-part';
import type { ConfirmQuestion } from './confirm-question';

const ConfirmDialog = lazyPart(async () => (await import('./confirm-dialog')).ConfirmDialog);

type Ask = (question: ConfirmQuestion) => Promise<boolean>;

const ConfirmContext = createContext<Ask | null>(null);

/** `if (await confirm({...}))`: resolves false when the person thinks again. */
export function useConfirm(): Ask {
  const ask = useContext(ConfirmContext);
  if (ask === null) throw new Error('useConfirm outside ConfirmProvider');
  return ask;
}

export function ConfirmProvider({ children }: { children: ReactNode }) {
  const [question, setQuestion] = useState<ConfirmQuestion | null>(null);
  const [open, setOpen] = useState(false);
  const answer = useRef<(yes: boolean) => void>(() => undefined);

  const ask = useCallback<Ask>((next) => {
    answer.current(false);
    setQuestion(next);
    setOpen(true);
    return new Promise((resolve) => {
      answer.current = resolve;
    });
  }, []);

  const close = useCallback((yes: boolean) => {
    setOpen(false);
    answer.current(yes);
    answer.current = () => undefined;
  }, []);

  const value = useMemo(() => ask, [ask]);
  return (
    <ConfirmContext value={value}>
      {children}
      {question !== null && (
        <Suspense fallback={null}>
          <ConfirmDialog question={question} open={open} onAnswer={close} />
        </Suspense>
      )}
    </ConfirmContext>
  );
}
