import type { QueryClient } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { RouterProvider } from 'react-router/dom';
import { Providers } from './providers';

interface AppProps {
  queryClient: QueryClient;
  router: ComponentProps<typeof RouterProvider>['router'];
}

export function App({ queryClient, router }: AppProps) {
  return (
    <Providers queryClient={queryClient}>
      <RouterProvider router={router} />
    </Providers>
  );
}
