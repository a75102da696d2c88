import { createContext, Suspense, useCallback, useContext, useRef, useState, type ReactNode } from 'react';
import { lazyPart } from '../feedback/lazy-part';
import { needsFreshProof } from './needs-step-up';

const ProofDialog = lazyPart(async () => (await import('./step-up-dialog')).StepUpDialog);

type Freshly = <T>(action: () => Promise<T>) => Promise<T>;

const StepUpContext = createContext<Freshly | null>(null);

/**
 * `await freshly(() => mutation.mutateAsync(…))`: when the server asks for a recent proof, the person gives one and the action
 * is done again. Fails: what the action failed with, also when the person thinks again.
 */
export function useFreshly(): Freshly {
  const freshly = useContext(StepUpContext);
  if (freshly === null) throw new Error('useFreshly outside FreshProofProvider');
  return freshly;
}

export function StepUpProvider({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState(false);
  const [wasAsked, setWasAsked] = useState(false);
  const answer = useRef<(proven: boolean) => void>(() => undefined);
  const prove = useCallback(() => {
    answer.current(false);
    setWasAsked(true);
    setOpen(true);
    return new Promise<boolean>((resolve) => {
      answer.current = resolve;
    });
  }, []);
  const close = useCallback((proven: boolean) => {
    setOpen(false);
    answer.current(proven);
    answer.current = () => undefined;
  }, []);
  const freshly = useCallback<Freshly>(
    async (action) => {
      try {
        return await action();
      } catch (error) {
        if (!needsFreshProof(error) || !(await prove())) throw error;
        return action();
      }
    },
    [prove],
  );
  return (
    <StepUpContext value={freshly}>
      {children}
      {wasAsked && (
        <Suspense fallback={null}>
          <ProofDialog open={open} onProven={() => close(true)} onClose={() => close(false)} />
        </Suspense>
      )}
    </StepUpContext>
  );
}
