import { hostsInDocument, refuseClosedHosts, refuseClosedNames } from '../pipeline/request/refuse-hosts.js';
import type { RelayPorts } from '../pipeline/context/relay-ports.js';
import type { RelayError } from '../model/relay-error.js';
import type { Route } from '../ports/channel-picker.js';
import type { RealtimeFrame } from './realtime-frame.js';
import { whenKnown } from '../../common/now-or-later.js';

/** Why an event is refused, at once or after a look-up; undefined = it is not. */
export type EventRefusal = (event: RealtimeFrame) => Promise<RelayError | undefined> | RelayError | undefined;

/**
 * Addresses that an event of a session asks its upstream to fetch, by the rules of every other call.
 * @returns undefined when every address passes
 */
export function eventHostRefusals(
  { addresses }: Pick<RelayPorts, 'addresses'>,
  { baseUrl }: Pick<Route, 'baseUrl'>,
): EventRefusal | undefined {
  if (addresses === undefined) return undefined;
  return ({ bytes, mayNameHosts }) => {
    if (!mayNameHosts) return undefined;
    const named = [...hostsInDocument(bytes)];
    return refuseClosedHosts(addresses, named) ?? refuseClosedNames(addresses, named, baseUrl);
  };
}

/** The first of the refusals; the second decides when the first has none. */
export function firstRefusal(
  first: EventRefusal | undefined,
  second: EventRefusal | undefined,
): EventRefusal | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return (event) => whenKnown(first(event), (refusal) => refusal ?? second(event));
}
