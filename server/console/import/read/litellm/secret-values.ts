import { createDecipheriv, createHash } from 'node:crypto';
import { openSecretbox } from './secretbox.js';

const GCM_MARK = 'v2:gcm:';
const GCM_NONCE = 12;
const TAG = 16;
const BOX_NONCE = 24;

/** Opens the strings that LiteLLM stores encrypted, each for itself. */
export class SecretValues {
  private readonly keys: readonly Buffer[];

  /** @param secrets  its salt and its master key, as far as they are known: rows from before it had a salt are sealed with the key */
  constructor(secrets: readonly string[]) {
    this.keys = secrets.map((secret) => createHash('sha256').update(secret).digest());
  }

  /** Null when the text cannot be opened: another salt, or no encrypted text. */
  open(text: string): string | null {
    for (const key of this.keys) {
      const opened = openWith(key, text);
      if (opened !== null) return opened;
    }
    return null;
  }
}

function openWith(key: Buffer, text: string): string | null {
  try {
    return text.startsWith(GCM_MARK) ? openGcm(key, text.slice(GCM_MARK.length)) : openBox(key, text);
  } catch {
    // A wrong key, a damaged text and plain text all end here: none of them is a secret that may be used.
    return null;
  }
}

function openGcm(key: Buffer, text: string): string {
  const bytes = Buffer.from(text, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, GCM_NONCE), {
    authTagLength: TAG,
  });
  decipher.setAuthTag(bytes.subarray(-TAG));
  return Buffer.concat([decipher.update(bytes.subarray(GCM_NONCE, -TAG)), decipher.final()]).toString('utf8');
}

function openBox(key: Buffer, text: string): string | null {
  const bytes = Buffer.from(text, 'base64url');
  const opened = openSecretbox(key, bytes.subarray(0, BOX_NONCE), bytes.subarray(BOX_NONCE));
  return opened === null ? null : opened.toString('utf8');
}
