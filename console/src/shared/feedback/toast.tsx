import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Snackbar from '@mui/material/Snackbar';
import { useSyncExternalStore } from 'react';

export type ToastTone = 'success' | 'error' | 'warning' | 'info';

interface Toast {
  readonly id: number;
  readonly tone: ToastTone;
  readonly text: string;
}

const isFault = (tone: ToastTone): boolean => tone === 'error' || tone === 'warning';

let waiting: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: readonly Toast[]) {
  waiting = next;
  listeners.forEach((listener) => listener());
}

/** Says the result of an action at once: good news replaces older good news, faults stay beside it until they were read. */
export function toast(tone: ToastTone, text: string): void {
  if (text === '') return;
  lastId += 1;
  // The same words again are said anew: what was left of the first time may be over in a moment.
  const unread = waiting.filter((known) => isFault(known.tone) && known.text !== text);
  change([...unread, { id: lastId, tone, text }].slice(-3));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function close(id: number): void {
  change(waiting.filter((known) => known.id !== id));
}

/** Draws the toasts, the newest lowest; mounted once by the providers. */
export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => waiting);
  return (
    <Box
      sx={{
        position: 'fixed',
        zIndex: 'snackbar',
        bottom: { xs: 8, sm: 24 },
        left: 8,
        right: 8,
        display: 'grid',
        gap: 1,
        justifyItems: 'center',
        pointerEvents: 'none',
      }}
    >
      {shown.map(({ id, tone, text }) => (
        <Snackbar
          key={id}
          open
          autoHideDuration={isFault(tone) ? 8_000 : 4_000}
          onClose={(_event, reason) => {
            if (reason !== 'clickaway') close(id);
          }}
          sx={{ position: 'static', pointerEvents: 'auto' }}
        >
          <Alert
            severity={tone}
            onClose={() => close(id)}
            role={tone === 'error' ? 'alert' : 'status'}
            sx={{
              border: 1,
              borderColor: 'divider',
              boxShadow: '0 8px 28px rgba(10, 14, 25, 0.18)',
              maxWidth: 560,
              overflowWrap: 'anywhere',
            }}
          >
            {text}
          </Alert>
        </Snackbar>
      ))}
    </Box>
  );
}
