import CssBaseline from '@mui/material/CssBaseline';
import { ThemeProvider } from '@mui/material/styles';
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import i18next from 'i18next';
import { useEffect, useState, type ReactNode } from 'react';
import { makeQueryClient } from './query-client';
import { ConfirmProvider } from '../shared/dialog/confirm';
import { CopyProvider } from '../shared/dialog/manual-copy';
import { Toasts } from '../shared/feedback/toasts';
import { StepUpProvider } from '../shared/identity/step-up';
import { theme } from './theme';

interface ProvidersProps {
  children: ReactNode;
  /** Tests bring their own. */
  queryClient?: QueryClient;
}

/** Everything the pages stand on, in the order they need each other. */
export function Providers({ children, queryClient }: ProvidersProps) {
  const [client] = useState(() => queryClient ?? makeQueryClient());
  useEffect(() => {
    // The server writes reasons, findings and refusals in the reader's language. What a form was opened with stays.
    const readAnew = () =>
      void client.invalidateQueries({
        predicate: (query) => query.observers.every(({ options }) => options.staleTime !== Infinity),
      });
    i18next.on('languageChanged', readAnew);
    return () => i18next.off('languageChanged', readAnew);
  }, [client]);
  return (
    <ThemeProvider
      theme={theme}
      defaultMode="system"
      modeStorageKey="theme-mode"
      disableTransitionOnChange
      noSsr
    >
      <CssBaseline enableColorScheme />
      <QueryClientProvider client={client}>
        <CopyProvider>
          <ConfirmProvider>
            <StepUpProvider>{children}</StepUpProvider>
          </ConfirmProvider>
        </CopyProvider>
        <Toasts />
      </QueryClientProvider>
    </ThemeProvider>
  );
}
