import { randomUUID } from 'node:crypto';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { SharedStore } from '../shared-store/shared-store.js';
import { ChangeFeed, type ChangeListener, type ChangeTopic } from './change-feed.js';

const SIGNAL_TOPIC = 'change';
const TOPICS: ReadonlySet<string> = new Set<ChangeTopic>(['options', 'channels', 'limits', 'user', 'token']);

/** The feed over SharedStore.signals. Payload: `origin topic id`, the id being 0 when there is none. */
@Injectable()
export class SharedChangeFeed extends ChangeFeed implements OnApplicationShutdown {
  private readonly logger = new Logger('ChangeFeed');
  private readonly origin = randomUUID();
  private readonly listeners = new Map<ChangeTopic, Set<ChangeListener>>();
  private readonly unsubscribe: () => void;

  constructor(private readonly store: SharedStore) {
    super();
    this.unsubscribe = store.signals.subscribe(SIGNAL_TOPIC, (payload) => this.receive(payload));
  }

  override announce(topic: ChangeTopic, id?: number): void {
    this.notifyListeners(topic, id);
    this.store.signals.publish(SIGNAL_TOPIC, `${this.origin} ${topic} ${id ?? 0}`).catch((error: unknown) => {
      // A lost hint costs seconds, not correctness: the other instances poll.
      this.logger.warn(`could not tell the other instances about ${topic}: ${String(error)}`);
    });
  }

  override on(topic: ChangeTopic, listener: ChangeListener): () => void {
    const listeners = this.listeners.get(topic) ?? new Set();
    this.listeners.set(topic, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  onApplicationShutdown(): void {
    this.unsubscribe();
  }

  private receive(payload: string): void {
    const [origin, topic = '', id] = payload.split(' ');
    if (origin === this.origin || !TOPICS.has(topic)) return;
    this.notifyListeners(topic as ChangeTopic, Number(id) || undefined);
  }

  private notifyListeners(topic: ChangeTopic, id: number | undefined): void {
    for (const listener of this.listeners.get(topic) ?? []) {
      try {
        listener(id);
      } catch (error) {
        // One listener's bug must not keep the others from hearing.
        this.logger.error(`a listener of ${topic} failed: ${String(error)}`);
      }
    }
  }
}
