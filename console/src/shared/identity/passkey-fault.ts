import { WebAuthnError } from '@simplewebauthn/browser';
import i18next from 'i18next';

/** A browser's refusal as a sentence that helps; everything else is returned as it is. */
export function passkeyFault(error: unknown): unknown {
  const name = error instanceof Error ? error.name : '';
  const code = error instanceof WebAuthnError ? error.code : undefined;
  const as = (text: string) => new Error(text, { cause: error });
  if (code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED' || name === 'InvalidStateError') {
    return as(i18next.t('identity.passkey.known'));
  }
  if (code === 'ERROR_INVALID_DOMAIN' || code === 'ERROR_INVALID_RP_ID' || name === 'SecurityError') {
    return as(i18next.t('identity.passkey.insecure'));
  }
  if (code === 'ERROR_CEREMONY_ABORTED' || name === 'NotAllowedError' || name === 'AbortError') {
    return as(i18next.t('identity.passkey.cancelled'));
  }
  return error;
}
