import { Cluster, type Redis } from 'ioredis';
import type { RedisConnection } from './redis-connection.js';

/**
 * Redis that throws keys away when its memory is full would throw away pools, holds and what was claimed. Needs no right to CONFIG.
 * @returns the policy of a server that may do so; null = none does, or it is unknown. Fails: StoreUnavailableError.
 */
export async function findEviction(gate: RedisConnection): Promise<string | null> {
  const { client } = gate;
  const nodes: Redis[] = client instanceof Cluster ? client.nodes('master') : [client];
  for (const node of nodes) {
    const text = String(await gate.ask(() => node.info('memory')));
    const policy = /^maxmemory_policy:(\S+)/m.exec(text)?.[1] ?? 'noeviction';
    // Without a limit memory is never full.
    const isLimited = Number(/^maxmemory:(\d+)/m.exec(text)?.[1] ?? 0) > 0;
    if (isLimited && policy !== 'noeviction') return policy;
  }
  return null;
}
