import type { UserIdRules } from '../../model/vendor-description.js';
import type { GatewayName } from '../../ports/gateway-name.js';

/** Longest digest: the shortest bound of a vendor that takes more. */
const DIGEST_LENGTH = 64;
const TOKEN = /^[\w-]+$/;

/**
 * Identifier of an end user that the vendor takes: the caller's own, or in place of one it would refuse a digest, the same in each call
 * and known to this installation only.
 */
export function endUserId(id: string, rules: UserIdRules, gateway: Pick<GatewayName, 'digestOf'>): string {
  const length = [...id].length;
  const fits =
    length <= rules.max && length >= (rules.min ?? 0) && (rules.isToken !== true || TOKEN.test(id));
  return fits ? id : gateway.digestOf(id).slice(0, Math.min(rules.max, DIGEST_LENGTH));
}
