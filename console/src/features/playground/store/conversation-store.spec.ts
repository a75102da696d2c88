import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { forgetConversations } from '../../../shared/session/kept-conversations';
import { textMessage } from '../chat/messages';
import { EMPTY_TREE, withPath } from '../chat/versions';
import type { Conversation } from './conversation';
import { ConversationStore } from './conversation-store';
import { greeting, newConversation, takenUp, titleOf } from './new-conversation';
import { readExport, writeExport } from './transfer';

const SETTINGS = { group: '', systemPrompt: '', tools: '', schema: '', parameters: {} };
const conversation = (id: string, updatedAtMs: number, text = 'Why?'): Conversation => ({
  ...newConversation(SETTINGS, [textMessage('q', 'user', text)]),
  id,
  title: text,
  updatedAtMs,
});

describe('ConversationStore', () => {
  let userId = 0;
  let store: ConversationStore;
  beforeEach(async () => {
    userId += 1;
    store = (await ConversationStore.open(userId)) as ConversationStore;
  });
  afterEach(() => store.close());

  it('lists the newest first, and gives each back as it was', async () => {
    await store.save(conversation('old', 1));
    await store.save(conversation('new', 2));
    expect((await store.list()).map(({ id }) => id)).toEqual(['new', 'old']);
    expect(await store.load('old')).toEqual({ ...conversation('old', 1), lanes: expect.any(Array) });
  });

  it('removes the oldest when the limit is reached, and refuses one that is too large alone', async () => {
    const bytes = JSON.stringify(conversation('a', 1)).length;
    for (const [index, id] of ['a', 'b', 'c'].entries())
      expect(await store.save(conversation(id, index), bytes * 2 + 10)).toBe(true);
    expect((await store.list()).map(({ id }) => id)).toEqual(['c', 'b']);
    expect(await store.load('a')).toBeUndefined();
    expect(await store.save(conversation('d', 9), bytes - 1)).toBe(false);
    expect(await store.list()).toHaveLength(2);
  });

  it('keeps the conversations of another account apart', async () => {
    await store.save(conversation('mine', 1));
    const other = await ConversationStore.open(userId + 1_000);
    expect(await other?.list()).toEqual([]);
    other?.close();
  });

  it('loses everything when the account forgets its conversations, although a window has it open', async () => {
    await store.save(conversation('mine', 1));
    await store.savePrompt({ name: 'brief', text: 'Be brief.' });
    await forgetConversations(userId);
    store = (await ConversationStore.open(userId)) as ConversationStore;
    expect(await store.list()).toEqual([]);
    expect(await store.prompts()).toEqual([]);
  });
});

describe('readExport', () => {
  it('returns what was exported', () => {
    expect(readExport(writeExport([conversation('a', 1)]))).toEqual([
      JSON.parse(JSON.stringify(conversation('a', 1)), (key, value: unknown) =>
        key === 'lanes' ? expect.any(Array) : value,
      ),
    ]);
  });

  it.each(['', '[]', '{"format":"other","version":1,"conversations":[]}'])('refuses %j', (text) => {
    expect(readExport(text)).toBeUndefined();
  });

  it('leaves out entries that are no conversation', () => {
    const broken = {
      ...conversation('b', 1),
      lanes: [{ id: 'x', model: 'm', tree: { nodes: [{}], leaf: null } }],
    };
    const text = JSON.stringify({
      format: 'tollgate-playground',
      version: 1,
      conversations: [conversation('a', 1), broken, null],
    });
    expect(readExport(text)?.map(({ id }) => id)).toEqual(['a']);
  });
});

describe('a conversation that is taken up again', () => {
  const question = textMessage('q', 'user', 'Why?');
  const call = { requestId: 'r', startedAtMs: 1 };
  const withAnswer = (metadata: object): Conversation => ({
    ...conversation('a', 1),
    lanes: [
      {
        id: 'l',
        model: 'm',
        tree: withPath(EMPTY_TREE, [
          ...greeting('Hello', 'Hi'),
          question,
          { id: 'a', role: 'assistant', parts: [{ type: 'text', text: 'Be' }], metadata },
        ]),
      },
    ],
  });
  const messagesOf = (taken: Conversation) => taken.lanes[0]?.tree.nodes.map(({ message }) => message) ?? [];

  it('marks an answer that was arriving, and keeps what came', () => {
    const [answer] = messagesOf(takenUp(withAnswer({ calls: [call] }))).slice(-1);
    expect(answer).toMatchObject({ parts: [{ text: 'Be' }], metadata: { ending: 'interrupted' } });
    const [whole] = messagesOf(takenUp(withAnswer({ calls: [{ ...call, totalMs: 5 }] }))).slice(-1);
    expect(whole?.metadata?.ending).toBeUndefined();
  });

  it('leaves out the question an expired session refused', () => {
    const failure = { status: 401, code: '', message: '', data: '' };
    const taken = takenUp(withAnswer({ calls: [{ ...call, totalMs: 5 }], failure }));
    expect(messagesOf(taken).map(({ id }) => id)).toEqual(['greeting-user', 'greeting-assistant']);
    expect(taken.lanes[0]?.tree.leaf).toBe('greeting-assistant');
  });

  it('has the first question as its title, not the greeting', () => {
    expect(titleOf(withAnswer({}).lanes)).toBe('Why?');
    expect(titleOf(newConversation(SETTINGS, greeting('Hello', 'Hi')).lanes)).toBe('');
  });
});
