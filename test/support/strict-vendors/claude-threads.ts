import { list, object, text, type Json } from './story.js';

const MAX_THREADS = 1_000;

/**
 * Conversations that the vendor keeps for requests with `thread`, as the official SDKs of August 2026 use it: `create` begins one, `continue`
 * names its last message and holds what is new.
 */
export class ClaudeThreads {
  private readonly kept = new Map<string, Json>();
  private count = 0;

  /** The whole request of one that goes on with a thread; one without its message is left as it came. */
  restore(body: Json): Json {
    const thread = object(body['thread']);
    const before = thread['type'] === 'continue' && this.kept.get(text(thread['previous_message_id']));
    if (before === undefined || before === false) return body;
    return { ...before, ...body, messages: [...list(before['messages']), ...list(body['messages'])] };
  }

  /** Keeps the conversation with its new message. @returns the message, with an id no other has */
  keep(body: Json, message: Json): Json {
    if (body['thread'] === undefined) return message;
    this.count += 1;
    if (this.kept.size >= MAX_THREADS) this.kept.clear();
    const id = `msg_thread_${this.count}`;
    const said = { role: 'assistant', content: message['content'] };
    this.kept.set(id, { ...body, messages: [...list(body['messages']), said] });
    return { ...message, id };
  }
}
