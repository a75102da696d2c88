/** Subject of a change. `options`, `channels`, `limits` and `imports` carry no id; `user` and `token` name theirs. */
export type ChangeTopic = 'options' | 'channels' | 'limits' | 'imports' | 'user' | 'token';

export type ChangeListener = (id?: number) => void;

/**
 * Notifies every instance that a stored fact changed, so that caches drop it. Hints only: listeners also poll, since a message can
 * be lost. Announce after the transaction committed.
 */
export abstract class ChangeFeed {
  /** Reaches listeners of this process at once, other instances through the shared store. */
  abstract announce(topic: ChangeTopic, id?: number): void;
  /** @returns a function that stops listening */
  abstract on(topic: ChangeTopic, listener: ChangeListener): () => void;
}
