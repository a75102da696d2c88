import type { SecretBox } from '../../../infra/crypto/secret-box.js';

/** The authenticated place of a channel's key: a ciphertext moved to another row does not open. */
const placeOf = (channelId: number): string => `channels|key|${channelId}`;

/** Ciphertext for `channels.key`. */
export const sealChannelKey = (box: SecretBox, channelId: number, key: string): string =>
  box.seal('channel-key', placeOf(channelId), key);

/**
 * The upstream credential in clear, for the relay and the probes only.
 * Fails: throws when the row was sealed by another CRYPTO_SECRET or moved.
 */
export const openChannelKey = (box: SecretBox, channelId: number, sealed: string): string =>
  box.open('channel-key', placeOf(channelId), sealed);
