import { storedValue } from '../browser/stored';

/** Database of this browser that holds the playground's conversations of one account. */
export const conversationDatabase = (userId: number): string => `playground-${userId}`;

const DRAFT = 'playground-draft-';

/** Place of an account's draft in session storage: it outlives a reload and an expired session of this tab, and nothing else. */
export const draftPlace = (userId: number): string => `${DRAFT}${userId}`;

export function clearDrafts(): void {
  try {
    for (const place of Object.keys(sessionStorage))
      if (place.startsWith(DRAFT)) sessionStorage.removeItem(place);
  } catch {
    // Storage can be forbidden: there is no draft then.
  }
}

/** Accounts whose conversations this browser keeps; absent = the account has none here. */
export const storedConversationOwners = storedValue<readonly number[]>({
  key: 'playground-accounts',
  parse: (value) =>
    Array.isArray(value) && value.every((id) => typeof id === 'number') ? (value as number[]) : undefined,
  fallback: [],
  form: 'json',
});

export function noteConversations(userId: number): void {
  const owners = storedConversationOwners.read();
  if (!owners.includes(userId)) storedConversationOwners.write([...owners, userId]);
}

/** Deletes every conversation and prompt of an account in this browser. */
export function forgetConversations(userId: number): Promise<void> {
  storedConversationOwners.write(storedConversationOwners.read().filter((id) => id !== userId));
  return new Promise((resolve) => {
    if (!('indexedDB' in globalThis)) return resolve();
    const request = indexedDB.deleteDatabase(conversationDatabase(userId));
    request.onsuccess = request.onerror = request.onblocked = () => resolve();
  });
}
