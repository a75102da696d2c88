import type { ParsedCall } from '../../formats/contract/api-format.js';
import type { Operation } from '../../model/operation.js';
import { refusal } from '../../model/refusals.js';
import type { RelayError } from '../../model/relay-error.js';
import type { AddressGuard } from '../../ports/address-guard.js';
import { type HostPlace, hostsInDocument, hostsInForm, hostsInPrompt, mayNameHosts } from './named-hosts.js';

/** Names of one request that are looked up; more would turn a request into a scan of names. */
const MAX_LOOKUPS = 32;
const MAX_SHOWN = 128;

type Hosts = Iterable<HostPlace>;
const NONE: readonly HostPlace[] = [];

/** Hosts that a call asks its upstream to fetch from. A call that names none is known by its scan. */
export function hostsOfCall(parsed: Pick<ParsedCall<Operation>, 'document' | 'form' | 'shape'>): Hosts {
  const { document, form, shape } = parsed;
  if (form !== undefined) return hostsInForm(form);
  const named = mayNameHosts(document) ? [...hostsInDocument(document.bytes)] : NONE;
  const { submission } = shape;
  return submission === undefined ? named : [...named, ...hostsInPrompt(submission.prompt)];
}

/**
 * Why a request may not be sent to any upstream: it names a private, loopback, link-local, metadata or otherwise special address. An
 * upstream inside the network would fetch from there for a caller that cannot reach it.
 * @param guard  absent = every address passes
 */
export function refuseClosedHosts(guard: AddressGuard | undefined, hosts: Hosts): RelayError | undefined {
  if (guard === undefined) return undefined;
  for (const named of hosts) if (guard.isClosed(named.host)) return closedRefusal('host-closed', named);
  return undefined;
}

/**
 * The same of names that resolve to such an address, for an upstream inside the network.
 * @returns undefined when nothing has to be looked up
 */
export function refuseClosedNames(
  guard: AddressGuard | undefined,
  hosts: Hosts,
  baseUrl: string,
): Promise<RelayError | undefined> | undefined {
  if (guard === undefined || baseUrl === '') return undefined;
  const byName = new Map<string, HostPlace>();
  for (const named of hosts) {
    const { address, name, port } = named.host;
    if (address === undefined) byName.set(`${name}:${port}`, named);
  }
  if (byName.size === 0) return undefined;
  const isInside = guard.isInside(baseUrl);
  if (isInside === false) return undefined;
  return lookUp(guard, [...byName.values()], isInside);
}

async function lookUp(
  guard: AddressGuard,
  named: readonly HostPlace[],
  isInside: true | Promise<boolean>,
): Promise<RelayError | undefined> {
  if (!(await isInside)) return undefined;
  if (named.length > MAX_LOOKUPS) return refusal('hosts-too-many', { max: MAX_LOOKUPS });
  const closed = await Promise.all(named.map(({ host }) => guard.resolvesClosed(host)));
  const found = named[closed.indexOf(true)];
  return found === undefined ? undefined : closedRefusal('host-resolves-closed', found);
}

function closedRefusal(name: 'host-closed' | 'host-resolves-closed', { host, place }: HostPlace): RelayError {
  const shown = host.name.length > MAX_SHOWN ? `${host.name.slice(0, MAX_SHOWN)}…` : host.name;
  const param = place.slice(0, MAX_SHOWN);
  return { ...refusal(name, { place: param, host: shown, port: String(host.port) }), param };
}
