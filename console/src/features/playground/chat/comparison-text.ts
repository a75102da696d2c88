import { type ChatMessage, textOf } from './messages';

interface ComparedModel {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
}

/**
 * A comparison as Markdown, for a message to others: each question, and the answer of every model with its figures.
 * @param figuresOf  time, tokens and price of an answer, and its vote
 */
export function comparisonText(
  models: readonly ComparedModel[],
  figuresOf: (answer: ChatMessage) => string,
): string {
  const turns = Math.max(0, ...models.map(({ messages }) => messages.length));
  const blocks: string[] = [];
  for (let turn = 1; turn < turns; turn += 1) {
    const answers = models.flatMap(({ model, messages }) => {
      const answer = messages[turn];
      if (answer?.role !== 'assistant' || answer.metadata?.calls === undefined) return [];
      const name = answer.metadata.model ?? model;
      return [`**${name}** · ${figuresOf(answer)}\n\n${textOf(answer)}`];
    });
    const question = models.map(({ messages }) => messages[turn - 1]).find((each) => each?.role === 'user');
    if (answers.length > 0 && question !== undefined)
      blocks.push(textOf(question).replaceAll(/^/gm, '> '), ...answers);
  }
  return blocks.join('\n\n');
}
