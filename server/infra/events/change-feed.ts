/** What changed. `options` and `channels` carry no id; `user` and `token` name whose. */
export type ChangeTopic = 'options' | 'channels' | 'user' | 'token';

export type ChangeListener = (id?: number) => void;

/**
 * Tells every instance that a stored fact changed, so that caches drop it. Hints only: whoever listens also polls, since a
 * message can be lost. Announce after the transaction committed.
 */
export abstract class ChangeFeed {
  /** Reaches listeners of this process at once, other instances through the shared store. */
  abstract announce(topic: ChangeTopic, id?: number): void;
  /** @returns a function that stops listening */
  abstract on(topic: ChangeTopic, listener: ChangeListener): () => void;
}
