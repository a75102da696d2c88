import { expect, it, jest } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { Marked } from 'marked';
import { CopyProvider } from '../../../shared/dialog/manual-copy';
import { AnswerText } from './answer-text';

const PART = [
  '## Result\n\nThe sum is **two**, by $a + b = 2$.\n\n',
  '```python\ndef add(a, b):\n    return a + b  # sum\n```\n\n',
  '| a | b |\n|---|---|\n| 1 | 1 |\n\n- one\n- two\n\n',
].join('');

it('parses only the last part of an answer while text is added', () => {
  const parse = jest.spyOn(Marked.prototype, 'lexer');
  const whole = PART.repeat(12);
  const steps = 60;
  const view = render(<AnswerText text="" isOpen />, { wrapper: CopyProvider });
  for (let step = 1; step <= steps; step += 1)
    view.rerender(
      <AnswerText text={whole.slice(0, Math.ceil((whole.length * step) / steps))} isOpen={step < steps} />,
    );
  const parsed = parse.mock.calls.reduce((sum, [source]) => sum + source.length, 0);
  parse.mockRestore();
  // Parsing everything at each step would read thirty times the text.
  expect(parsed).toBeLessThan(4 * whole.length);
  expect(screen.getAllByRole('heading', { name: 'Result' })).toHaveLength(12);
  expect(screen.getAllByRole('table')).toHaveLength(12);
});

it('keeps the elements of finished parts', () => {
  const view = render(<AnswerText text={`${PART}Next`} isOpen />, { wrapper: CopyProvider });
  const heading = screen.getByRole('heading', { name: 'Result' });
  const table = screen.getByRole('table');
  view.rerender(<AnswerText text={`${PART}Next **words**\n\n${PART}`} isOpen={false} />);
  expect(screen.getAllByRole('heading', { name: 'Result' })[0]).toBe(heading);
  expect(screen.getAllByRole('table')[0]).toBe(table);
});

it('gives links their address when it is defined at the end', () => {
  const view = render(<AnswerText text={'See [docs][1].\n\n- [docs][1] again\n\nEnd\n\n'} isOpen />);
  expect(screen.queryByRole('link')).toBeNull();
  view.rerender(
    <AnswerText
      text={'See [docs][1].\n\n- [docs][1] again\n\nEnd\n\n[1]: https://x.example'}
      isOpen={false}
    />,
  );
  for (const link of screen.getAllByRole('link', { name: 'docs' }))
    expect(link).toHaveAttribute('href', 'https://x.example');
});
