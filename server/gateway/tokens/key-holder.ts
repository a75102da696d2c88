import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import type { Caller } from '../../relay-core/model/call.js';
import { CallerDirectory } from '../../relay-core/ports/caller-directory.js';

/** Identifies callers of console routes that send an API key alone. */
@Injectable()
export class KeyHolder {
  constructor(private readonly callers: CallerDirectory) {}

  /**
   * The same checks as for a call: state and expiry of the token, its addresses, the state of its account.
   * Fails: token_in_address, token_invalid, database_unavailable.
   */
  async identify(
    authorization: string | undefined,
    keyInAddress: unknown,
    clientAddress: string,
  ): Promise<Caller & { readonly tokenId: number }> {
    const credential = (authorization ?? '').replace(/^Bearer\s+/i, '').trim();
    // A key in an address is in the logs of every hop: its owner has to change it.
    if (credential === '' && keyInAddress !== undefined) throw new DomainError('token_in_address');
    const caller = await this.callers.identify(credential, clientAddress);
    if (!caller.ok && caller.error.kind === 'unavailable') throw new DomainError('database_unavailable');
    const tokenId = caller.ok ? caller.value.tokenId : null;
    if (!caller.ok || tokenId === null) throw new DomainError('token_invalid');
    return { ...caller.value, tokenId };
  }
}
