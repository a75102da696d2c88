import type { Recording } from './read-folder.mjs';

export function onTheWire(
  recording: Recording,
  framing: string,
): { readonly type: string; readonly body: Buffer };
