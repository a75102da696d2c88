import { jest } from '@jest/globals';

const BYTES = Uint8Array.of(1, 2, 3, 4);

/** A browser that knows passkeys; `get` and `create` answer what an authenticator would. jsdom has none. */
export function installPasskeys(): { readonly remove: () => void; readonly refuse: (name: string) => void } {
  let refusal: string | null = null;
  const credential = (response: object) => ({
    id: 'AQIDBA',
    rawId: BYTES.buffer,
    type: 'public-key',
    authenticatorAttachment: 'platform',
    getClientExtensionResults: () => ({}),
    response,
  });
  const answer = async (response: object) => {
    if (refusal !== null) throw new DOMException('refused', refusal);
    return credential(response);
  };
  const container = {
    get: jest.fn(() =>
      answer({
        clientDataJSON: BYTES.buffer,
        authenticatorData: BYTES.buffer,
        signature: BYTES.buffer,
        userHandle: BYTES.buffer,
      }),
    ),
    create: jest.fn(() =>
      answer({
        clientDataJSON: BYTES.buffer,
        attestationObject: BYTES.buffer,
        getTransports: () => ['internal'],
      }),
    ),
  };
  Object.defineProperty(globalThis, 'PublicKeyCredential', { value: class {}, configurable: true });
  Object.defineProperty(navigator, 'credentials', { value: container, configurable: true });
  return {
    remove: () => {
      Reflect.deleteProperty(globalThis, 'PublicKeyCredential');
      Reflect.deleteProperty(navigator, 'credentials');
    },
    refuse: (name) => {
      refusal = name;
    },
  };
}
