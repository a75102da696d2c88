import { DomainError } from '../../common/errors/domain-error.js';
import type { Actor } from '../access/current-actor.js';

/** How an account may be entered is changed by who signed in, not by an access token. Fails: `session_required`. */
export function assertSession(actor: Actor): void {
  if (actor.way !== 'session') throw new DomainError('session_required');
}
