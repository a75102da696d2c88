import { RouterProvider } from 'react-router/dom';
import { Providers } from './providers';
import { makeRouter } from './router';

const router = makeRouter();

export function App() {
  return (
    <Providers>
      <RouterProvider router={router} />
    </Providers>
  );
}
