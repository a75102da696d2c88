import type { RelayError } from '../model/relay-error.js';
import { StoredIdCheck } from '../pipeline/stages/stored-id-check.js';
import { storedIdsInEvent } from '../pipeline/reply/stored-ids.js';
import type { RelayPorts } from '../pipeline/context/relay-ports.js';
import type { Route } from '../ports/channel-picker.js';
import type { RealtimeFrame } from './realtime-frame.js';

type RefusalOf = (event: RealtimeFrame) => Promise<RelayError | undefined> | undefined;

/**
 * Checks ids in a client's event by the rule of every other call. A session stays at its account, so objects kept elsewhere cannot
 * be named in it.
 * @returns undefined when every id may pass
 */
export function eventRefusals(
  { ids, channels }: Pick<RelayPorts, 'ids' | 'channels'>,
  userId: number,
  route: Route,
): RefusalOf | undefined {
  if (ids === undefined || route.settings.vendor?.['allow_foreign_ids'] === true) return undefined;
  return (event) => {
    if (!event.mayNameStored) return undefined;
    const named = storedIdsInEvent(event.bytes);
    if (named.length === 0) return undefined;
    const check = new StoredIdCheck({ ids, channels }, userId, named, 'openai-realtime');
    const refusal = (): RelayError | undefined => check.refusal(event.bytes, route);
    return (check.lookUp() ?? Promise.resolve()).then(refusal);
  };
}
