import { readField, type ScannedObject } from '../../framing/json-splice.js';
import type { ParsedCall } from '../../formats/contract/api-format.js';
import type { Operation } from '../../model/operation.js';
import { requestRefusal } from '../../model/refusals.js';
import type { RelayError } from '../../model/relay-error.js';
import type { AddressGuard } from '../../ports/address-guard.js';
import {
  type HostPlace,
  MAX_ADDRESSES,
  TOO_MANY_HOSTS,
  hostsInDocument,
  hostsInForm,
  hostsInPrompt,
  mayNameHosts,
} from './named-hosts.js';

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
  return shape.submission === undefined ? named : [...named, ...hostsInPrompt(promptOf(document))];
}

/** The whole prompt: its record keeps the beginning only. */
function promptOf(document: ScannedObject): string {
  const prompt = readField(document, 'prompt');
  return typeof prompt === 'string' ? prompt : '';
}

/**
 * Why a request may not be sent to any upstream: it names a private, loopback, link-local, metadata or otherwise special address. An
 * upstream inside the network would fetch from there for a caller that cannot reach it.
 * @param guard  absent = every address passes
 */
export function refuseClosedHosts(guard: AddressGuard | undefined, hosts: Hosts): RelayError | undefined {
  if (guard === undefined) return undefined;
  for (const named of hosts) {
    if (named === TOO_MANY_HOSTS) return TOO_MANY_ADDRESSES;
    if (guard.isClosed(named.host)) return closedRefusal(named, IS_CLOSED);
  }
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
  if (named.length > MAX_LOOKUPS) return TOO_MANY_NAMES;
  const closed = await Promise.all(named.map(({ host }) => guard.resolvesClosed(host)));
  const found = named[closed.indexOf(true)];
  return found === undefined ? undefined : closedRefusal(found, RESOLVES_CLOSED);
}

const KINDS = 'an address of a private network, of this machine or with a special purpose';
const IS_CLOSED = `which is ${KINDS}`;
const RESOLVES_CLOSED = `which resolves to ${KINDS}`;

function closedRefusal({ host, place }: HostPlace, why: string): RelayError {
  const shown = host.name.length > MAX_SHOWN ? `${host.name.slice(0, MAX_SHOWN)}…` : host.name;
  const param = place.slice(0, MAX_SHOWN);
  return requestRefusal(
    `${param}: no upstream is asked to fetch from ${shown}, ${why}. Send the bytes of the file instead. ` +
      `An operator allows it by naming the host with its port (${host.port}) in ALLOWED_PRIVATE_HOSTS_USERS.`,
    param,
  );
}

const TOO_MANY_ADDRESSES = requestRefusal(
  `At most ${MAX_ADDRESSES} different addresses can be named in one request.`,
);
const TOO_MANY_NAMES = requestRefusal(
  `At most ${MAX_LOOKUPS} hosts can be named in the addresses of one request to this model.`,
);
