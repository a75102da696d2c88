import { createContext, Suspense, useCallback, useContext, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { copyText } from '../browser/copy-text';
import { lazyPart } from '../feedback/lazy-part';
import { toast } from '../feedback/toast';

const ManualCopyDialog = lazyPart(async () => (await import('./manual-copy-dialog')).ManualCopyDialog);

type Copy = (text: string, confirmation?: string) => Promise<void>;

const CopyContext = createContext<Copy | null>(null);

/** Copies a text and confirms it; when the browser refuses, the text is shown for copying by hand. */
export function useCopy(): Copy {
  const copy = useContext(CopyContext);
  if (copy === null) throw new Error('useCopy outside CopyProvider');
  return copy;
}

export function CopyProvider({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const [text, setText] = useState<string | null>(null);
  const [wasAsked, setWasAsked] = useState(false);
  const copy = useCallback<Copy>(
    async (wanted, confirmation) => {
      if (await copyText(wanted)) toast('success', confirmation ?? t('common.copied'));
      else {
        setWasAsked(true);
        setText(wanted);
      }
    },
    [t],
  );
  return (
    <CopyContext value={copy}>
      {children}
      {wasAsked && (
        <Suspense fallback={null}>
          <ManualCopyDialog text={text} onClose={() => setText(null)} />
        </Suspense>
      )}
    </CopyContext>
  );
}
