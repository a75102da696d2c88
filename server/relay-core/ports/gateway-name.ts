/** Under what name the gateway passes calls on, so that it knows those again that come back to it. */
export abstract class GatewayName {
  /** Entry of a `Via` header (RFC 9110 7.6.3), the same for all instances: see `viaEntry`. */
  abstract readonly via: string;

  /** Digest of an end user's identifier in 64 hexadecimal digits, keyed by a secret of the installation. */
  abstract digestOf(userId: string): string;
}
