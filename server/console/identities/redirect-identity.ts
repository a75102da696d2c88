import type { FlowProof } from './flow-state.js';
import type { ExternalProfile } from './external-profile.js';

/** Parameters of a provider's redirect. */
export interface Callback {
  readonly code: string;
  readonly state: string;
  /** Issuer as the answer names it, when it does. */
  readonly issuer: string | undefined;
  /** Null when the flow was begun by a client that sends neither challenge nor nonce. */
  readonly proof: FlowProof | null;
}

/** A provider with a redirect flow. */
export interface RedirectIdentity {
  /** Address the browser goes to. Fails: DomainError when the provider is not set up. */
  authorizationUrl(state: string, proof: FlowProof): Promise<string>;
  /** Profile of the returning user. Fails: DomainError; never with the provider's text. */
  profileOf(callback: Callback): Promise<ExternalProfile>;
}

/** @param parameters  undefined members are left out */
export function withParameters(
  address: string,
  parameters: Readonly<Record<string, string | undefined>>,
): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) url.searchParams.set(name, value);
  return url.toString();
}
