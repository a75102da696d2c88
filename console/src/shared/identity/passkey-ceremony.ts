import {
  startAuthentication,
  startRegistration,
  type AuthenticationResponseJSON,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
} from '@simplewebauthn/browser';
import { passkeyFault } from './passkey-fault';

/** What the server wants of an authenticator, for a new passkey and for an existing one. */
export type CreationOptions = PublicKeyCredentialCreationOptionsJSON;
export type RequestOptions = PublicKeyCredentialRequestOptionsJSON;

/** Has the browser make a passkey. Fails: Error with a sentence for the reader. */
export async function makePasskey(options: CreationOptions): Promise<RegistrationResponseJSON> {
  try {
    return await startRegistration({ optionsJSON: options });
  } catch (error) {
    throw passkeyFault(error);
  }
}

/** Has the browser prove a passkey. Fails: Error with a sentence for the reader. */
export async function provePasskey(options: RequestOptions): Promise<AuthenticationResponseJSON> {
  try {
    return await startAuthentication({ optionsJSON: options });
  } catch (error) {
    throw passkeyFault(error);
  }
}
