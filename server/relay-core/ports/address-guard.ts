/** A host that an address in a request leads to, as one reader understands it. */
export interface NamedHost {
  /** Lower case, without brackets, zone and last dot. */
  readonly name: string;
  /** The IP address that the name is, in its plain form; undefined = a look-up is needed. */
  readonly address: string | undefined;
  readonly port: number;
  /** `http:` or `https:`, whichever the address is closer to. */
  readonly scheme: string;
}

/** Decides which hosts a request may name to upstreams, which fetch from there with their own place in the network. */
export abstract class AddressGuard {
  /**
   * Checks for a private, loopback, link-local, metadata or otherwise special address that is closed to users.
   * Returns true when the host is one. Makes no look-up: names other than those of this machine and of metadata services are open.
   */
  abstract isClosed(host: NamedHost): boolean;

  /**
   * Checks for an upstream in this machine or its network. Waits for a look-up of its name, kept for a minute.
   * @param baseUrl  of the channel; empty = the vendor's own address, which is public
   */
  abstract isInside(baseUrl: string): boolean | Promise<boolean>;

  /** Returns true when a name resolves to an address that is closed to users. One that does not resolve within 2 s passes. Never rejects. */
  abstract resolvesClosed(host: NamedHost): Promise<boolean>;
}
