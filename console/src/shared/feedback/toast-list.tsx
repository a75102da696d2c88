import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Snackbar from '@mui/material/Snackbar';
import Button from '@mui/material/Button';
import { closeToast, isFault, useToasts } from './toast';
import { runToastAction, useUndoKey } from './use-undo-key';

/** Milliseconds a toast stays; the time stands still while it has the pointer or the focus. */
const PLAIN_MS = 4_000;
const FAULT_MS = 8_000;
const ACTION_MS = 12_000;

/** The toasts, the newest lowest. */
export function ToastList() {
  const shown = useToasts();
  useUndoKey(shown);
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
      {shown.map((each) => {
        const { id, tone, text, action } = each;
        return (
          <Snackbar
            key={id}
            open
            autoHideDuration={action !== undefined ? ACTION_MS : isFault(tone) ? FAULT_MS : PLAIN_MS}
            onClose={(_event, reason) => {
              if (reason !== 'clickaway') closeToast(id);
            }}
            sx={{ position: 'static', pointerEvents: 'auto' }}
          >
            <Alert
              severity={tone}
              onClose={() => closeToast(id)}
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
              {action !== undefined && (
                <Button
                  size="small"
                  color="inherit"
                  aria-keyshortcuts="Control+Z Meta+Z"
                  onClick={() => runToastAction(each)}
                  sx={{ ml: 1, my: -0.5, fontWeight: 600, textDecoration: 'underline' }}
                >
                  {action.label}
                </Button>
              )}
            </Alert>
          </Snackbar>
        );
      })}
    </Box>
  );
}
