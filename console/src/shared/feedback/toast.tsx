import Alert from '@mui/material/Alert';
import Snackbar from '@mui/material/Snackbar';
import { useSyncExternalStore } from 'react';

export type ToastTone = 'success' | 'error' | 'warning' | 'info';

interface Toast {
  readonly id: number;
  readonly tone: ToastTone;
  readonly text: string;
}

let waiting: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: readonly Toast[]) {
  waiting = next;
  listeners.forEach((listener) => listener());
}

/** Says the result of an action, one at a time: good news makes room at once, faults stay until they were read. */
export function toast(tone: ToastTone, text: string): void {
  if (text === '' || waiting.some((known) => known.text === text)) return;
  lastId += 1;
  const unread = waiting.filter((known) => known.tone === 'error' || known.tone === 'warning');
  change([...unread, { id: lastId, tone, text }].slice(-3));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Draws the waiting toasts; mounted once by the providers. */
export function Toasts() {
  const first = useSyncExternalStore(subscribe, () => waiting)[0];
  const close = () => change(waiting.slice(1));
  return (
    <Snackbar
      key={first?.id}
      open={first !== undefined}
      autoHideDuration={first?.tone === 'error' || first?.tone === 'warning' ? 8_000 : 4_000}
      onClose={(_event, reason) => {
        if (reason !== 'clickaway') close();
      }}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'center' }}
    >
      {first === undefined ? undefined : (
        <Alert
          severity={first.tone}
          onClose={close}
          role={first.tone === 'error' ? 'alert' : 'status'}
          sx={{
            border: 1,
            borderColor: 'divider',
            boxShadow: '0 8px 28px rgba(10, 14, 25, 0.18)',
            maxWidth: 560,
            overflowWrap: 'anywhere',
          }}
        >
          {first.text}
        </Alert>
      )}
    </Snackbar>
  );
}
