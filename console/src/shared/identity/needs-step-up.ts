import { isApiError } from '../../api/api-error';

/** The server's word for "show once more that it is you". */
const PROOF_REQUIRED = 'login_not_fresh';

export function needsFreshProof(error: unknown): boolean {
  return isApiError(error) && error.code === PROOF_REQUIRED;
}
