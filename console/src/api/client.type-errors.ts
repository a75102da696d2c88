import { api, dataOf } from './client';
import type { Schemas } from './schemas';

/** Calls that do not compile. They never run: to the compiler an expected error that does not come is one itself. */
export async function wrongCalls(): Promise<void> {
  // @ts-expect-error the document has no such path
  await api.GET('/api/tokens');
  // @ts-expect-error nor such a method of this one
  await api.DELETE('/api/status');
  // @ts-expect-error a path parameter is missing
  await api.GET('/api/token/{id}');
  // @ts-expect-error a parameter of the wrong type
  await api.GET('/api/token/{id}', { params: { path: { id: 'twelve' } } });
  // @ts-expect-error a query the route does not know
  await api.GET('/api/token', { params: { query: { keyword: 'a' } } });
  // @ts-expect-error a member of the body of the wrong type
  await api.POST('/api/token/batch', { body: { ids: ['1'] } });
  const token: Schemas['Token'] = await dataOf(api.GET('/api/token/{id}', { params: { path: { id: 1 } } }));
  // @ts-expect-error what is answered is a token, no user
  const user: Schemas['User'] = token;
  // @ts-expect-error an answer without data
  await dataOf(api.DELETE('/api/token/{id}', { params: { path: { id: user.id } } }));
}
