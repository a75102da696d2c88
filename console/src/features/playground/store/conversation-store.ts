import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import { conversationDatabase } from '../../../shared/session/kept-conversations';
import type { Conversation, ConversationSummary, StoredPrompt } from './conversation';

/** All conversations of one account in one browser. */
export const MAX_STORED_BYTES = 50 * 1024 * 1024;

interface Schema extends DBSchema {
  conversations: { key: string; value: Conversation };
  summaries: { key: string; value: ConversationSummary };
  prompts: { key: string; value: StoredPrompt };
}

/** Conversations and prompts of one account, in IndexedDB of this browser. The server never sees them. */
export class ConversationStore {
  private constructor(private readonly database: IDBPDatabase<Schema>) {}

  /** Undefined where the browser keeps nothing: a private window, a policy. */
  static async open(userId: number): Promise<ConversationStore | undefined> {
    if (!('indexedDB' in globalThis)) return undefined;
    try {
      const database = await openDB<Schema>(conversationDatabase(userId), 1, {
        upgrade: (fresh) => {
          fresh.createObjectStore('conversations', { keyPath: 'id' });
          fresh.createObjectStore('summaries', { keyPath: 'id' });
          fresh.createObjectStore('prompts', { keyPath: 'name' });
        },
        // Lets another window delete the database at sign-out.
        blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
      });
      return new ConversationStore(database);
    } catch {
      return undefined;
    }
  }

  /** Newest first. */
  async list(): Promise<ConversationSummary[]> {
    const summaries = await this.database.getAll('summaries');
    return summaries.toSorted((one, other) => other.updatedAtMs - one.updatedAtMs);
  }

  load(id: string): Promise<Conversation | undefined> {
    return this.database.get('conversations', id);
  }

  /**
   * Keeps a conversation; the oldest others are removed until all fit.
   * @param limitBytes  of all together, measured as JSON
   * @returns false when this one alone is too large, or the browser has no room
   */
  async save(conversation: Conversation, limitBytes = MAX_STORED_BYTES): Promise<boolean> {
    const bytes = JSON.stringify(conversation).length;
    if (bytes > limitBytes) return false;
    const { id, title, updatedAtMs } = conversation;
    const others = (await this.list()).filter((other) => other.id !== id);
    let left = limitBytes - bytes;
    const excess: string[] = [];
    for (const other of others) {
      left -= other.bytes;
      if (left < 0) excess.push(other.id);
    }
    try {
      const change = this.database.transaction(['conversations', 'summaries'], 'readwrite');
      const [whole, summaries] = [change.objectStore('conversations'), change.objectStore('summaries')];
      await Promise.all([
        ...excess.flatMap((old) => [whole.delete(old), summaries.delete(old)]),
        whole.put(conversation),
        summaries.put({ id, title, updatedAtMs, bytes }),
        change.done,
      ]);
      return true;
    } catch {
      // The browser's own limit was reached, or the database was deleted in another window.
      return false;
    }
  }

  async remove(id: string): Promise<void> {
    const change = this.database.transaction(['conversations', 'summaries'], 'readwrite');
    await Promise.all([
      change.objectStore('conversations').delete(id),
      change.objectStore('summaries').delete(id),
      change.done,
    ]);
  }

  all(): Promise<Conversation[]> {
    return this.database.getAll('conversations');
  }

  async clear(): Promise<void> {
    const change = this.database.transaction(['conversations', 'summaries'], 'readwrite');
    await Promise.all([
      change.objectStore('conversations').clear(),
      change.objectStore('summaries').clear(),
      change.done,
    ]);
  }

  prompts(): Promise<StoredPrompt[]> {
    return this.database.getAll('prompts');
  }

  async savePrompt(prompt: StoredPrompt): Promise<void> {
    await this.database.put('prompts', prompt);
  }

  async removePrompt(name: string): Promise<void> {
    await this.database.delete('prompts', name);
  }

  close(): void {
    this.database.close();
  }
}
