/** Owner of the addresses a list opens. */
export type HostListName = 'channels' | 'identity' | 'services' | 'users';

/** The variable of each list (docs/configuration.md). */
export const HOST_LIST_VARIABLES: Readonly<Record<HostListName, string>> = {
  channels: 'ALLOWED_PRIVATE_HOSTS',
  identity: 'ALLOWED_PRIVATE_HOSTS_IDENTITY',
  services: 'ALLOWED_PRIVATE_HOSTS_SERVICES',
  users: 'ALLOWED_PRIVATE_HOSTS_USERS',
};

interface CallerRule {
  /** The one list that opens private hosts to it. */
  readonly list: HostListName;
  /** Plain http to all hosts; others use it with the hosts of their list only. */
  readonly callsPlainHttp: boolean;
  /** Reaches this machine and its network without being asked while the server listens on loopback only. */
  readonly isAtHomeOnLoopback: boolean;
}

const GUARDED = { callsPlainHttp: false, isAtHomeOnLoopback: false } as const;

/**
 * Kinds of outbound callers, by the origin of the address. `channel`: a channel's address and proxy, typed by an administrator.
 * `answer`: an address that an upstream wrote into its answer. `identity`: sign-in providers. `service`: all other addresses of the
 * options (mail, payment, human check, price lists, status pages, webhooks of alerts and root accounts, the worker that passes
 * webhooks on), and databases of imports. `user`: addresses an account or a caller types (images and files of a request, the webhook
 * of an account that is not root's).
 */
export const OUTBOUND_CALLERS = {
  channel: { list: 'channels', callsPlainHttp: true, isAtHomeOnLoopback: true },
  answer: { list: 'channels', ...GUARDED },
  identity: { list: 'identity', ...GUARDED },
  service: { list: 'services', ...GUARDED },
  user: { list: 'users', ...GUARDED },
} as const satisfies Readonly<Record<string, CallerRule>>;

export type OutboundCaller = keyof typeof OUTBOUND_CALLERS;

/** Callers of small fetches; channels have a sender of their own. */
export type FetchCaller = Exclude<OutboundCaller, 'channel'>;

/** Settings of each list in the environment. */
export interface HostListSettings {
  /** Also of `identity` and `services` while they have no list of their own; never of `users`. */
  readonly allowedPrivateHosts: readonly string[];
  readonly allowedPrivateHostsIdentity?: readonly string[] | undefined;
  readonly allowedPrivateHostsServices?: readonly string[] | undefined;
  readonly allowedPrivateHostsUsers?: readonly string[] | undefined;
}

/** One list as it counts. */
export interface HostListInForce {
  readonly entries: readonly string[];
  /** Entries without a port open every port that is called at all, as they did before there were ports; else the usual ones. */
  readonly opensEveryPort: boolean;
}

/** Which entries open what to whom. */
export function hostListsInForce(
  settings: HostListSettings,
): Readonly<Record<HostListName, HostListInForce>> {
  const shared: HostListInForce = { entries: settings.allowedPrivateHosts, opensEveryPort: true };
  const own = (entries: readonly string[] | undefined): HostListInForce | undefined =>
    entries && { entries, opensEveryPort: false };
  return {
    channels: shared,
    identity: own(settings.allowedPrivateHostsIdentity) ?? shared,
    services: own(settings.allowedPrivateHostsServices) ?? shared,
    users: own(settings.allowedPrivateHostsUsers) ?? { entries: [], opensEveryPort: false },
  };
}
