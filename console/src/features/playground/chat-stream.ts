import { openEvents } from '../../api/client';
import { readEvents } from '../../api/events';
import type { ConversationAct, chatRequest } from './conversation';

/**
 * Asks, and tells what comes piece by piece. A stream that ends without its mark is over as well.
 * Fails: ApiError for a refusal; AbortError when the signal ends it.
 */
export async function streamChat(
  body: ReturnType<typeof chatRequest>,
  tell: (act: ConversationAct) => void,
  signal: AbortSignal,
): Promise<void> {
  const events = await openEvents('/pg/chat/completions', body, signal);
  for await (const data of readEvents(events)) {
    if (data === '[DONE]') break;
    const act = actOf(data);
    if (act !== undefined) tell(act);
    if (act?.type === 'fail') return;
  }
  tell({ type: 'end' });
}

interface ChunkDocument {
  readonly error?: unknown;
  readonly choices?: readonly { readonly delta?: Readonly<Record<string, unknown>> }[];
}

function actOf(data: string): ConversationAct | undefined {
  let chunk: ChunkDocument | null;
  try {
    chunk = JSON.parse(data) as ChunkDocument | null;
  } catch {
    return { type: 'fail', text: data };
  }
  if (chunk?.error !== undefined && chunk.error !== null) return { type: 'fail', text: data };
  const delta = chunk?.choices?.[0]?.delta ?? {};
  const { content, reasoning_content: reasoning } = delta;
  if (typeof content === 'string' && content !== '') return { type: 'content', text: content };
  if (typeof reasoning === 'string' && reasoning !== '') return { type: 'reasoning', text: reasoning };
  return undefined;
}
