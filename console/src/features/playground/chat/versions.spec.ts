import { describe, expect, it } from '@jest/globals';
import { textMessage } from './messages';
import { EMPTY_TREE, showVersion, shownPath, versionsOf, withPath } from './versions';

const [question, other] = [textMessage('q1', 'user', 'Why?'), textMessage('q2', 'user', 'How?')];
const [first, second, third] = ['a1', 'a2', 'a3'].map((id) => textMessage(id, 'assistant', id)) as [
  ReturnType<typeof textMessage>,
  ReturnType<typeof textMessage>,
  ReturnType<typeof textMessage>,
];
const ids = (tree: Parameters<typeof shownPath>[0]) => shownPath(tree).map(({ id }) => id);

describe('versions of a conversation', () => {
  const tree = [
    [question, first],
    [question, second],
    [other, third],
  ].reduce(withPath, EMPTY_TREE);

  it('shows the path that was added last', () => {
    expect(ids(tree)).toEqual(['q2', 'a3']);
  });

  it('finds repeated answers and edited questions', () => {
    expect(versionsOf(tree, 'a1')).toEqual(['a1', 'a2']);
    expect(versionsOf(tree, 'q2')).toEqual(['q1', 'q2']);
    expect(versionsOf(tree, 'unknown')).toEqual(['unknown']);
  });

  it('shows an earlier version with the newest that followed it', () => {
    expect(ids(showVersion(tree, 'q1'))).toEqual(['q1', 'a2']);
    expect(ids(showVersion(tree, 'a1'))).toEqual(['q1', 'a1']);
  });

  it('ends at a circle, which only an imported file can have', () => {
    const circle = {
      nodes: [
        { message: question, parent: 'a1' },
        { message: first, parent: 'q1' },
      ],
      leaf: 'a1',
    };
    expect(ids(circle)).toEqual(['q1', 'a1']);
    expect(showVersion(circle, 'q1').leaf).toBe('a1');
  });
});
