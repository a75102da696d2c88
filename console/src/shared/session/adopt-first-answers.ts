import type { QueryClient } from '@tanstack/react-query';
import { storedUser, userIn } from '../../api/current-user';
import { readFirstAnswers } from '../../api/first-answers';
import { noticeQuery } from './notice';
import { isStatus, rememberStatus, statusQuery } from './status';

/** Takes status, notice and session from the page itself, before the first render. */
export function adoptFirstAnswers(client: QueryClient): void {
  const { status, notice, user } = readFirstAnswers();
  if (isStatus(status)) {
    rememberStatus(status);
    client.setQueryData(statusQuery.queryKey, status);
  }
  if (typeof notice === 'string') client.setQueryData(noticeQuery.queryKey, notice);
  adoptUser(user);
}

function adoptUser(user: unknown): void {
  const known = storedUser.read();
  if (user === null) {
    if (known === null) return;
    sessionStorage.setItem('expired', 'true');
    storedUser.clear();
    return;
  }
  const found = userIn(user);
  if (found === undefined) return;
  sessionStorage.removeItem('expired');
  storedUser.write(known?.id === found.id ? { ...known, ...found } : found);
}
