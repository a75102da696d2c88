import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Snackbar from '@mui/material/Snackbar';
import { closeToast, isFault, useToasts } from './toast';

/** The toasts, the newest lowest. */
export function ToastList() {
  const shown = useToasts();
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
          </Alert>
        </Snackbar>
      ))}
    </Box>
  );
}
