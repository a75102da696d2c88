import {
  startAuthentication,
  startRegistration,
  type AuthenticationResponseJSON,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
} from '@simplewebauthn/browser';
import { passkeyFault } from './passkey-fault';

/** Form that the server takes: results of whichever extensions there were. */
type PlainCredential<Credential> = Omit<Credential, 'clientExtensionResults'> & {
  readonly clientExtensionResults: Record<string, unknown>;
};

const plain = <Credential extends { readonly clientExtensionResults: object }>(
  credential: Credential,
): PlainCredential<Credential> => ({
  ...credential,
  clientExtensionResults: Object.fromEntries(Object.entries(credential.clientExtensionResults)),
});

/** Has the browser make a passkey. Fails: Error with a sentence for the reader. */
export async function makePasskey(
  options: PublicKeyCredentialCreationOptionsJSON,
): Promise<PlainCredential<RegistrationResponseJSON>> {
  try {
    return plain(await startRegistration({ optionsJSON: options }));
  } catch (error) {
    throw passkeyFault(error);
  }
}

/** Has the browser prove a passkey. Fails: Error with a sentence for the reader. */
export async function provePasskey(
  options: PublicKeyCredentialRequestOptionsJSON,
): Promise<PlainCredential<AuthenticationResponseJSON>> {
  try {
    return plain(await startAuthentication({ optionsJSON: options }));
  } catch (error) {
    throw passkeyFault(error);
  }
}
