import type { FlowProof } from './flow-state.js';
import type { ExternalProfile } from './external-profile.js';

/** What came back from a provider. */
export interface Callback {
  readonly code: string;
  readonly state: string;
  /** Issuer as the answer names it, when it does. */
  readonly issuer: string | undefined;
  /** Null when the flow was begun by a client that sends neither challenge nor nonce. */
  readonly proof: FlowProof | null;
}

/** A provider people are sent to and come back from. */
export interface RedirectIdentity {
  /** Where the browser goes. Fails: DomainError when the provider is not set up. */
  authorizationUrl(state: string, proof: FlowProof): Promise<string>;
  /** Who came back. Fails: DomainError; never with what the provider said. */
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
